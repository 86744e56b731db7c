package ex

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// mustPass looks at the tests of what should be right.
func mustPass(gate, what string, e *Exercise, res *Result) (found []Finding) {
	if res.Build != nil {
		return []Finding{{e.ID, gate, "the code " + what + " does not compile: " + strings.Join(res.Build, " / ")}}
	}
	for _, ts := range e.Tests {
		for _, name := range ts.Names {
			switch t := res.Of(ts.Package, name); t.Outcome {
			case Passed:
			case NotRun:
				found = append(found, Finding{e.ID, gate, fmt.Sprintf("%s of %s did not run; is there a test of that name?", name, ts.Package)})
			case Skipped:
				found = append(found, Finding{e.ID, gate, name + " is skipped, so it proves nothing"})
			default:
				found = append(found, Finding{e.ID, gate, fmt.Sprintf("%s fails %s: %s", name, what, strings.Join(t.Says, " / "))})
			}
		}
	}
	return found
}

// mustFail looks at the tests of a blank: each has to fail by its own report.
func mustFail(gate string, e *Exercise, res *Result) (found []Finding) {
	say := func(format string, args ...any) {
		found = append(found, Finding{e.ID, gate, fmt.Sprintf(format, args...)})
	}
	for _, ts := range e.Tests {
		for _, name := range ts.Names {
			t := res.Of(ts.Package, name)
			says := strings.Join(t.Says, " / ")
			switch {
			case t.Outcome == Failed && says == "":
				say("%s fails without a word; its message is what the learner reads", name)
			case t.Outcome == Failed, t.Outcome == Died && strings.Contains(says, "not written yet"):
			case t.Outcome == Passed:
				say("%s passes although the blank is empty; test more, or name another test", name)
			case t.Outcome == Hung:
				say("%s hangs with the blank; let the test end by itself, or give a stub that returns", name)
			case t.Outcome == Died:
				say("%s dies with the blank (%s); give a stub that returns an error or a zero value", name, says)
			default:
				say("%s did not run with the blank", name)
			}
		}
	}
	return found
}

// broken are the tests that fail. One that ends the whole program hides the
// others, so the rest is run again without it.
func (r Run) broken(ctx context.Context, module string) (names []string, err error) {
	for more := true; more; {
		res, err := r.Do(ctx, module)
		if err != nil {
			return nil, err
		}
		more = false
		for name, t := range res.Tests {
			if t.Outcome >= Failed && !slices.Contains(names, name.Test) {
				names, r.Skip = append(names, name.Test), append(r.Skip, name.Test)
				more = more || t.Outcome > Failed
			}
		}
	}
	slices.Sort(names)
	return names, nil
}
