package ex

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Outcome is what came of one test.
type Outcome int

// The outcomes of a test.
const (
	NotRun Outcome = iota
	Passed
	Skipped
	Failed
	Died // it, or another that ran beside it, ended the whole program
	Hung
)

// Run is how tests are to be run.
type Run struct {
	Dir      string // the stage's folder
	Packages []string
	Only     []string // these tests; or
	Skip     []string // all but these
	Race     bool
	Overlay  string // file for go's -overlay
	Count    int
	Timeout  time.Duration // of a package's tests; 0 is a minute
}

// Result is what came of a run.
type Result struct {
	Build []string        // what the compiler said; nil if it was content
	Tests map[Name]*Test  // those that ran
	Lost  map[string]bool // packages whose test program ended before its time
	Lines []string        // output outside of tests
}

// Name is a test of a package, given below the stage.
type Name struct{ Package, Test string }

// Test is one test's outcome and its own words.
type Test struct {
	Outcome Outcome
	Says    []string
	Stack   []string // of a panic or a hang

	stacked bool
}

type event struct {
	Action, Package, ImportPath, Test, Output string
}

// Do runs the tests.
func (r Run) Do(ctx context.Context, module string) (*Result, error) {
	args := []string{"test", "-json", "-vet=off", fmt.Sprintf("-count=%d", max(r.Count, 1)), "-timeout=" + cmp.Or(r.Timeout, time.Minute).String()}
	if len(r.Only) > 0 {
		args = append(args, "-run", anyOf(r.Only))
	}
	if len(r.Skip) > 0 {
		args = append(args, "-skip", anyOf(r.Skip))
	}
	if r.Race {
		args = append(args, "-race")
	}
	if r.Overlay != "" {
		args = append(args, "-overlay", r.Overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, r.Packages...)...)
	cmd.Dir, cmd.Env = r.Dir, alone()
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	res := &Result{Tests: map[Name]*Test{}, Lost: map[string]bool{}}
	for sc := newScanner(out); sc.Scan(); {
		var ev event
		if json.Unmarshal(sc.Bytes(), &ev) == nil && ev.Action != "" {
			ev.Package = "." + strings.TrimPrefix(ev.Package, module)
			res.add(ev)
		} else {
			res.Lines = append(res.Lines, sc.Text())
		}
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && len(res.Tests) == 0 && res.Build == nil && errs.Len() > 0 {
		return nil, fmt.Errorf("go test: %s", strings.TrimSpace(errs.String()))
	}
	res.settle()
	return res, nil
}

// alone makes the go command see one module and no workspace.
func alone() []string { return append(os.Environ(), "GOWORK=off") }

func anyOf(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }

func newScanner(r interface{ Read([]byte) (int, error) }) *bufio.Scanner {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 16<<20)
	return sc
}

func (res *Result) add(ev event) {
	switch ev.Action {
	case "build-output":
		res.Build = append(res.Build, strings.TrimRight(ev.Output, "\n"))
		return
	case "build-fail":
		if res.Build == nil {
			res.Build = []string{ev.ImportPath + " does not compile"}
		}
		return
	}
	if ev.Test == "" {
		if ev.Action == "output" {
			res.Lines = append(res.Lines, strings.TrimRight(ev.Output, "\n"))
		}
		if ev.Action == "fail" {
			res.Lost[ev.Package] = true // settle looks whether a test explains it
		}
		return
	}
	name, _, sub := strings.Cut(ev.Test, "/")
	key := Name{ev.Package, name}
	t := res.Tests[key]
	if t == nil {
		t = &Test{}
		res.Tests[key] = t
	}
	switch ev.Action {
	case "output":
		t.hear(ev.Output)
	case "pass", "fail", "skip":
		if !sub && t.Outcome == NotRun || ev.Action == "fail" {
			t.Outcome = map[string]Outcome{"pass": Passed, "fail": Failed, "skip": Skipped}[ev.Action]
		}
	}
}

var (
	frame  = regexp.MustCompile(`^\s*(=== (RUN|PAUSE|CONT|NAME)|--- (FAIL|PASS|SKIP)|FAIL\b|PASS\b|exit status)`)
	source = regexp.MustCompile(`^\s*[\w.-]+\.go:\d+: `)
	stack  = regexp.MustCompile(`^(goroutine \d+ |\[signal |running tests:)`)
	logged = regexp.MustCompile(`^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d `)
)

// hear keeps a test's own words: not go test's frame, no stack, and not what
// the code under test logs.
func (t *Test) hear(line string) {
	line = strings.TrimRight(line, "\n")
	if strings.HasPrefix(line, "panic: test timed out") {
		t.Outcome = Hung
	} else if strings.HasPrefix(line, "panic:") && t.Outcome == NotRun {
		t.Outcome = Died
	}
	if t.stacked = t.stacked || stack.MatchString(line); t.stacked {
		t.Stack = append(t.Stack, line)
		return
	}
	if frame.MatchString(line) || logged.MatchString(line) {
		return
	}
	line, _, _ = strings.Cut(line, " [recovered")
	if m := source.FindString(line); m != "" {
		line = line[len(m):]
	}
	if line = strings.TrimRight(strings.TrimPrefix(line, "        "), " "); line != "" {
		t.Says = append(t.Says, line)
	}
}

// settle decides about tests that began and did not end: their program did.
func (res *Result) settle() {
	explained := map[string]bool{}
	for name, t := range res.Tests {
		died := slices.ContainsFunc(t.Says, func(s string) bool { return strings.HasPrefix(s, "panic:") })
		hung := slices.ContainsFunc(t.Says, func(s string) bool { return strings.HasPrefix(s, "panic: test timed out") })
		switch {
		case hung:
			t.Outcome = Hung
		case died, t.Outcome == NotRun:
			t.Outcome = Died
		case t.Outcome == Failed:
			explained[name.Package] = true
		}
	}
	for pkg := range explained {
		alive := true
		for name, t := range res.Tests {
			alive = alive && (name.Package != pkg || t.Outcome < Died)
		}
		if alive {
			delete(res.Lost, pkg)
		}
	}
}

// Of finds the outcome of one test; one that is not there has not run.
func (res *Result) Of(pkg, test string) *Test {
	if t := res.Tests[Name{pkg, test}]; t != nil {
		return t
	}
	return &Test{}
}

// Judge runs the tests of exercises. A test that did not run, or that may have
// died of another's panic, is run again alone.
func (r Run) Judge(ctx context.Context, module string, exercises ...*Exercise) (*Result, error) {
	for _, e := range exercises {
		r.Only = append(r.Only, e.TestNames()...)
		r.Packages = append(r.Packages, e.Packages()...)
		r.Race = r.Race || e.Race
	}
	slices.Sort(r.Packages)
	r.Packages = slices.Compact(r.Packages)
	res, err := r.Do(ctx, module)
	if err != nil || res.Build != nil || len(r.Only) < 2 {
		return res, err
	}
	for _, e := range exercises {
		for _, ts := range e.Tests {
			for _, name := range ts.Names {
				t := res.Of(ts.Package, name)
				if !res.Lost[ts.Package] || t.Outcome != Died && t.Outcome != NotRun {
					continue
				}
				again := r
				again.Only, again.Packages = []string{name}, []string{ts.Package}
				one, err := again.Do(ctx, module)
				if err != nil {
					return nil, err
				}
				res.Tests[Name{ts.Package, name}] = one.Of(ts.Package, name)
			}
		}
	}
	return res, nil
}
