package startup

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
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

// Log collects steps and prints each when it is done. It is safe for
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
		l.add(Step{id, name, fmt.Sprintf(format, args...), time.Since(began), file})
	}
}

func (l *Log) add(s Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.steps = append(l.steps, s)
	fmt.Fprintf(l.out, "%-7s %-24s %-50s %6.1f ms  %s\n", "["+s.ID+"]", s.Name, s.Result, float64(s.Took)/float64(time.Millisecond), s.Source)
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

// ServeHTTP answers with the steps as JSON.
func (l *Log) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(l.steps) // a client that has gone needs no answer
}
