package startup

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Step is one thing that was done.
type Step struct {
	ID     string        `json:"id"`     // paragraph of the article, such as A3.10
	Name   string        `json:"name"`   // the article's name for it
	Result string        `json:"result"` // what came of it
	Took   time.Duration `json:"tookNanoseconds"`
	Source string        `json:"source"` // file that does it
}

// Log prints each step when it is done, and remembers it. It is safe for
// concurrent use; a nil Log forgets everything.
type Log struct {
	out io.Writer

	mu    sync.Mutex // guards what follows
	steps []Step
}

// New returns a Log that prints to out.
func New(out io.Writer) *Log { return &Log{out: out} }

// Step begins a step. Call the result when it is done, with what came of it.
func (l *Log) Step(id, name string) (done func(format string, args ...any)) {
	if l == nil {
		return func(string, ...any) {}
	}
	_, file, _, _ := runtime.Caller(1)
	if i := strings.LastIndex(file, "/stage"); i >= 0 {
		file = file[i+1:]
	}
	began := time.Now()
	return func(format string, args ...any) {
		l.mu.Lock()
		defer l.mu.Unlock()
		s := Step{id, name, fmt.Sprintf(format, args...), time.Since(began), file}
		l.steps = append(l.steps, s)
		fmt.Fprintf(l.out, "%-7s %-24s %-50s %6.1f ms  %s\n", "["+id+"]", name, s.Result, s.Took.Seconds()*1000, file)
	}
}

// Steps are those that are done.
func (l *Log) Steps() []Step {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.steps)
}

// Print writes lines that are not steps: where the server is, what to try.
func (l *Log) Print(lines ...string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(l.out, strings.Join(lines, "\n")) // in one piece, whatever else is printed
}
