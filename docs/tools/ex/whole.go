package ex

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.com/kube-apiserver/docs/tools/tree"
)

// Work is where scratch copies lie.
func Work(t *tree.Tree) string {
	if dir := os.Getenv("WORK"); dir != "" {
		return dir
	}
	return t.Abs(Dir + "/work")
}

// Open finds or names the scratch copy of exercise 3.2, or of all of stage 3.
func Open(t *tree.Tree, id string) (*Scratch, error) {
	s := &Scratch{Tree: t, Dir: filepath.Join(Work(t), id)}
	switch m := idShape.FindStringSubmatch(id); {
	case m == nil:
		return nil, fmt.Errorf("say which exercise, such as E=3.2, or E=3 for all of a stage")
	case m[2] != "":
		e, err := Load(t, id)
		if err != nil {
			return nil, err
		}
		s.Exercises = []*Exercise{e}
	default:
		all, err := All(t)
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			if fmt.Sprint(e.Stage.N) == id && !e.Open {
				s.Exercises = append(s.Exercises, e)
			}
		}
	}
	if len(s.Exercises) == 0 {
		return nil, fmt.Errorf("stage %s has no exercises", id)
	}
	s.Stage = s.Exercises[0].Stage
	return s, nil
}

// together is G9: one copy with all blanks of a stage, as a learner gets it who
// builds the stage anew.
func (v *Verifier) together(ctx context.Context, es []*Exercise) (found []Finding, err error) {
	id := fmt.Sprint(es[0].Stage.N)
	s := &Scratch{Tree: v.Tree, Dir: filepath.Join(Work(v.Tree), "verify", id), Stage: es[0].Stage, Exercises: es}
	say := func(f Finding) { found = append(found, Finding{id, "G9", f.ID + ": " + f.Text}) }
	if err := s.Cut(""); err != nil {
		return []Finding{{id, "G9", err.Error()}}, nil
	}
	if errs := Compiles(ctx, s.StageDir(), "", "./..."); errs != nil {
		return []Finding{{id, "G9", fmt.Sprintf("with all blanks the stage does not compile: %q", errs)}}, nil
	}
	r := Run{Dir: s.StageDir(), Timeout: v.Timeout}
	res, err := r.Judge(ctx, s.Stage.Module, es...)
	if err != nil {
		return nil, err
	}
	for _, e := range es {
		for _, ts := range e.Tests {
			for _, name := range ts.Names {
				if t := res.Of(ts.Package, name); t.Outcome < Failed {
					say(Finding{e.ID, "", name + " does not fail with all blanks of the stage"})
				}
			}
		}
		if err := s.Solve(e); err != nil {
			say(Finding{e.ID, "", err.Error()})
		}
	}
	if res, err = r.Judge(ctx, s.Stage.Module, es...); err != nil {
		return nil, err
	}
	for _, e := range es {
		for _, f := range mustPass("G9", "after all solutions", e, res) {
			say(f)
		}
	}
	return found, nil
}

// Solve writes the stage's own text into the blanks of the copy.
func (s *Scratch) Solve(e *Exercise) error {
	for i, b := range e.Blanks {
		ref, err := e.Reference(s.Tree, i)
		if err != nil {
			return err
		}
		src, err := os.ReadFile(s.Path(b.File))
		if err != nil {
			return err
		}
		if src, err = tree.Replace(src, b.Name, ref); err != nil {
			return fmt.Errorf("%s: %w", b.File, err)
		}
		if err := write(s.Path(b.File), src); err != nil {
			return err
		}
	}
	return nil
}

// open is G2 to G4 of an open exercise: its tests fail in the stage as it is and
// pass with the patch.
func (v *Verifier) open(ctx context.Context, e *Exercise) ([]Finding, error) {
	s := &Scratch{Tree: v.Tree, Dir: filepath.Join(Work(v.Tree), "verify", e.ID), Stage: e.Stage, Exercises: []*Exercise{e}}
	if err := s.Cut(""); err != nil {
		return nil, err
	}
	r := Run{Dir: s.StageDir(), Timeout: v.Timeout}
	if errs := Compiles(ctx, r.Dir, "", "./..."); errs != nil {
		return []Finding{{e.ID, "G3", fmt.Sprintf("its tests do not compile with the stage as it is: %q", errs)}}, nil
	}
	found, err := v.red(ctx, r, e)
	if err != nil {
		return nil, err
	}
	if err := s.Apply(e); err != nil {
		return append(found, Finding{e.ID, "G2", err.Error()}), nil
	}
	res, err := r.Judge(ctx, e.Stage.Module, e)
	if err != nil {
		return nil, err
	}
	return append(found, mustPass("G2", "with solution.patch", e, res)...), nil
}
