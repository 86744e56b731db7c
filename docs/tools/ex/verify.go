package ex

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/kube-apiserver/docs/tools/tree"
)

// Finding is a gate that an exercise does not pass.
//
//	G1   its address names one place; its section is in both chapters, with a task; three hints, why, titles, in both languages
//	G2   reference: every named test is there, runs and passes
//	G3   blank: all packages and tests of the stage compile
//	G4   blank: every named test fails and says so itself
//	G5   blank: the other tests of the packages still pass, but for those in breaks:
//	G6   every trap compiles and is rejected by a named test; a core exercise has a trap
//	G7   the solution put into the blank gives the stage's file, byte for byte
//	G8   1 to 40 lines; minutes and level are set; stubs and traps are as gofmt has them
//	G9   all exercises of a stage in one copy: compiles, every test fails, and passes after all solutions
//	G10  a compiler's error that a text quotes is one that the compiler says
//	now  what the blank's tests say is what now.tsv has recorded
type Finding struct{ ID, Gate, Text string }

func (f Finding) String() string { return f.ID + " " + f.Gate + ": " + f.Text }

// Verifier proves exercises.
type Verifier struct {
	Tree   *tree.Tree
	Out    io.Writer
	Count  int  // how often the reference runs
	Update bool // record what the blanks' tests say

	Timeout time.Duration // of a package's tests; 0 is a minute

	now   *recorded
	cache *cache
	tmp   string
}

// Verify proves exercises, and each whole stage among them, and returns what it found.
func (v *Verifier) Verify(ctx context.Context, all []*Exercise) (found []Finding, err error) {
	if v.now, err = readRecorded(v.Tree); err != nil {
		return nil, err
	}
	v.cache = readCache(v.Tree)
	if v.tmp, err = os.MkdirTemp("", "verify"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(v.tmp)
	var units []unit
	for _, e := range all {
		units = append(units, unit{e.ID, e.Stage, []*Exercise{e}, v.prove})
	}
	for _, s := range v.Tree.Stages {
		of := slices.DeleteFunc(slices.Clone(all), func(e *Exercise) bool { return e.Stage != s || e.Open })
		if len(of) > 1 {
			units = append(units, unit{fmt.Sprint(s.N), s, of, v.together})
		}
	}
	found, err = v.work(ctx, units)
	v.cache.save()
	if err == nil && v.Update {
		err = v.now.save(v.Tree)
	}
	return found, err
}

// unit is one thing to prove.
type unit struct {
	id        string
	stage     tree.Stage
	exercises []*Exercise
	prove     func(ctx context.Context, es []*Exercise) ([]Finding, error)
}

// work proves units, as many at a time as there are processors.
func (v *Verifier) work(ctx context.Context, units []unit) ([]Finding, error) {
	results, errs := make([][]Finding, len(units)), make([]error, len(units))
	var wg sync.WaitGroup
	slots := make(chan struct{}, min(runtime.NumCPU(), 8))
	for i, u := range units {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i], errs[i] = v.one(ctx, u)
		})
	}
	wg.Wait()
	var found []Finding
	failed := 0
	for i, u := range units {
		if errs[i] != nil {
			return nil, fmt.Errorf("exercise %s: %w", u.id, errs[i])
		}
		if len(results[i]) > 0 {
			failed++
		}
		found = append(found, results[i]...)
	}
	for _, f := range found {
		fmt.Fprintln(v.Out, f)
	}
	fmt.Fprintf(v.Out, "%d passed, %d failed\n", len(units)-failed, failed)
	return found, nil
}

func (v *Verifier) one(ctx context.Context, u unit) ([]Finding, error) {
	var found []Finding
	if len(u.exercises) == 1 {
		found = v.static(u.exercises[0])
	}
	key := v.cache.key(v.Tree, u)
	if slices.ContainsFunc(found, func(f Finding) bool { return f.Gate == "G1" }) || !v.Update && v.cache.has(key) {
		return found, nil // without an address nothing can be run
	}
	more, err := u.prove(ctx, u.exercises)
	if len(more) == 0 && err == nil {
		v.cache.add(key)
	}
	return append(found, more...), err
}

// prove runs the gates that run the go command, for one exercise.
func (v *Verifier) prove(ctx context.Context, es []*Exercise) (found []Finding, err error) {
	e := es[0]
	gates := []func(context.Context, *Exercise) ([]Finding, error){v.reference, v.blank, v.traps, v.quoted}
	if e.Open {
		gates = []func(context.Context, *Exercise) ([]Finding, error){v.open}
	}
	for _, gate := range gates {
		more, err := gate(ctx, e)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

func (v *Verifier) run(e *Exercise) Run {
	return Run{Dir: v.Tree.Abs(e.Stage.Dir), Timeout: v.Timeout}
}

// reference is G2.
func (v *Verifier) reference(ctx context.Context, e *Exercise) ([]Finding, error) {
	r := v.run(e)
	r.Count = v.Count
	res, err := r.Judge(ctx, e.Stage.Module, e)
	if err != nil {
		return nil, err
	}
	return mustPass("G2", "of the stage as it is", e, res), nil
}

// blank is G3, G4, G5 and what now.tsv says.
func (v *Verifier) blank(ctx context.Context, e *Exercise) ([]Finding, error) {
	files, err := e.with(v.Tree.Abs(e.Stage.Dir), e.stubOr(""), tree.Replace)
	if err != nil {
		return nil, err
	}
	r := v.run(e)
	if r.Overlay, err = v.overlay(e, "blank", files); err != nil {
		return nil, err
	}
	if errs := Compiles(ctx, r.Dir, r.Overlay, "./..."); errs != nil {
		return []Finding{{e.ID, "G3", "the blank does not compile: " + strings.Join(errs, " / ")}}, nil
	}
	found, err := v.red(ctx, r, e)
	if err != nil {
		return nil, err
	}
	if slices.Contains(e.Breaks, "all") {
		return found, nil
	}
	r.Packages, r.Skip = e.Packages(), append(e.TestNames(), e.Breaks...)
	broken, err := r.broken(ctx, e.Stage.Module)
	if len(broken) > 0 {
		found = append(found, Finding{e.ID, "G5", "the blank also breaks " + strings.Join(broken, " ") + "; blank less, or list them in breaks:"})
	}
	return found, err
}

// red is G4, and what now.tsv says of it.
func (v *Verifier) red(ctx context.Context, r Run, e *Exercise) ([]Finding, error) {
	res, err := r.Judge(ctx, e.Stage.Module, e)
	if err != nil {
		return nil, err
	}
	if found := mustFail("G4", e, res); len(found) > 0 {
		return found, nil
	}
	return v.now.compare(e, res, v.Update), nil
}

// traps is G6.
func (v *Verifier) traps(ctx context.Context, e *Exercise) (found []Finding, err error) {
	if len(e.Traps()) == 0 && e.Level == "core" {
		found = append(found, Finding{e.ID, "G6", "a core exercise has a trap at least: a wrong answer that somebody would give"})
	}
	for _, name := range e.Traps() {
		files, err := e.with(v.Tree.Abs(e.Stage.Dir), e.stubOr(name), tree.Replace)
		if err != nil {
			return append(found, Finding{e.ID, "G6", "trap " + name + ": " + err.Error()}), nil
		}
		r := v.run(e)
		if r.Overlay, err = v.overlay(e, "trap."+name, files); err != nil {
			return nil, err
		}
		res, err := r.Judge(ctx, e.Stage.Module, e)
		if err != nil {
			return nil, err
		}
		if res.Build != nil {
			found = append(found, Finding{e.ID, "G6", "trap " + name + " does not compile: " + strings.Join(res.Build, " / ")})
			continue
		}
		rejected := false
		for _, ts := range e.Tests {
			for _, test := range ts.Names {
				switch res.Of(ts.Package, test).Outcome {
				case Failed, Died:
					rejected = true
				case Hung:
					found = append(found, Finding{e.ID, "G6", "trap " + name + " makes " + test + " hang; let the test end by itself"})
				}
			}
		}
		if !rejected {
			found = append(found, Finding{e.ID, "G6", "trap " + name + " passes all of " + strings.Join(e.TestNames(), ", ") + "; the test is too weak"})
		}
	}
	return found, nil
}

// overlay writes files of the stage where the go command takes them from instead.
func (v *Verifier) overlay(e *Exercise, name string, files map[string][]byte) (string, error) {
	return writeOverlay(filepath.Join(v.tmp, e.ID+"."+name), v.Tree.Abs(e.Stage.Dir), files)
}
