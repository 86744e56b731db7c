package see

import (
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/testscript"
)

// Play plays transcripts outside of a test and says whether all went well.
func Play(out io.Writer, params testscript.Params) bool {
	p := &playing{out: out}
	p.Run("", func(t testscript.T) { testscript.RunT(t, params) })
	return !p.failed
}

// playing is testscript's idea of a test, with its words sent to out.
type playing struct {
	out    io.Writer
	failed bool
}

// ended leaves a test early.
type ended struct{}

func (p *playing) Skip(args ...any) {
	fmt.Fprintln(p.out, append([]any{"skipped:"}, args...)...)
	panic(ended{})
}

func (p *playing) Fatal(args ...any) {
	fmt.Fprintln(p.out, args...)
	p.FailNow()
}

func (p *playing) Log(args ...any) {
	if p.failed {
		fmt.Fprintln(p.out, args...)
	}
}

func (p *playing) FailNow() {
	p.failed = true
	panic(ended{})
}

func (p *playing) Parallel() {}

func (p *playing) Verbose() bool { return false }

// Run runs f to its end, which may be early.
func (p *playing) Run(name string, f func(testscript.T)) {
	sub := &playing{out: p.out}
	defer func() {
		p.failed = p.failed || sub.failed
		if r := recover(); r != nil && r != (any)(ended{}) {
			panic(r)
		}
	}()
	f(sub)
}
