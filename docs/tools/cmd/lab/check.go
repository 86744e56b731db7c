package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/kube-apiserver/docs/tools/ex"
)

func check(c *call) error {
	l, err := c.learner(true)
	if err != nil {
		return err
	}
	if err := l.s.Refresh(); err != nil {
		return err
	}
	res, err := ex.Run{Dir: l.s.StageDir(), Timeout: l.timeout}.Judge(context.Background(), l.s.Stage.Module, l.s.Exercises...)
	if err != nil {
		return err
	}
	code := unbuilt
	if res.Build != nil {
		l.unbuilt(res)
	} else {
		code = l.judge(res)
		if err := l.p.Save(); err != nil {
			return err
		}
	}
	if code == 0 {
		return nil
	}
	if os.Getenv("MAKELEVEL") != "" { // make has the last word, and nothing that it runs can change that
		l.println("         " + l.say("make", int(code)))
	}
	return code
}

// judge tells what came of each exercise. Once all of the copy pass their own
// tests, the others of their packages have a say: until then what is still
// blank breaks some of them.
func (l *learner) judge(res *ex.Result) (worst failed) {
	all := !slices.ContainsFunc(l.s.Exercises, func(e *ex.Exercise) bool { return !passes(e, res) })
	for _, e := range l.s.Exercises {
		m := l.p.Of(e.ID)
		m.Tries++
		code := l.tests(e, res)
		if all {
			code = l.neighbours(e)
		}
		worst = max(worst, code)
		if code != 0 {
			l.failure(e, m)
			continue
		}
		m.Row, m.Passed = 0, l.s.Hash(e)
		l.success(e)
	}
	return worst
}

func passes(e *ex.Exercise, res *ex.Result) bool {
	for _, ts := range e.Tests {
		for _, name := range ts.Names {
			if res.Of(ts.Package, name).Outcome != ex.Passed {
				return false
			}
		}
	}
	return true
}

var undefined = regexp.MustCompile(`undefined: (\w+)`)

// unbuilt shows what the compiler says, and what it cannot know: that the blank
// has switched an import off.
func (l *learner) unbuilt(res *ex.Result) {
	l.println(l.say("build"))
	advice := map[string]bool{}
	for _, line := range res.Build {
		if strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.ReplaceAll(line, l.s.StageDir()+string(filepath.Separator), "")
		l.println("         " + line)
		m := undefined.FindStringSubmatch(line)
		for _, e := range l.s.Exercises {
			for _, b := range e.Blanks {
				src, _ := os.ReadFile(l.s.Path(b.File))
				if m == nil || advice[m[1]] {
					continue
				}
				if im := regexp.MustCompile(`_ "(\S+/)?` + m[1] + `"|_ "\S+" // ` + m[1] + `\b`).FindSubmatch(src); im != nil {
					advice[m[1]] = true
					l.println("         → " + l.say("import", string(im[0])))
				}
			}
		}
	}
	for _, e := range l.s.Exercises {
		for _, b := range e.Blanks {
			l.field(l.say("edit"), l.rel(l.s.Path(b.File)))
		}
	}
}

// tests tells which of an exercise's own tests do not pass.
func (l *learner) tests(e *ex.Exercise, res *ex.Result) (code failed) {
	for _, ts := range e.Tests {
		for _, name := range ts.Names {
			t := res.Of(ts.Package, name)
			switch t.Outcome {
			case ex.Passed:
				continue
			case ex.NotRun, ex.Skipped:
				l.field(name, l.say("norun"))
				code = max(code, nothing)
			case ex.Hung:
				fmt.Fprintf(l.out, "%s  %s\n%s", l.say("hangs"), name, l.own(t.Stack))
				code = max(code, hung)
			default:
				fmt.Fprintf(l.out, "%s  %s %s\n         %s\n", l.say("notyet"), e.ID, name, strings.Join(t.Says, "\n         "))
				code = max(code, notYet)
			}
		}
	}
	return code
}

// neighbours tells which other claims of the packages an exercise broke on the
// way to its own: then it is not done.
func (l *learner) neighbours(e *ex.Exercise) (code failed) {
	rest := ex.Run{Dir: l.s.StageDir(), Packages: e.Packages(), Skip: e.TestNames(), Timeout: l.timeout}
	res, err := rest.Do(context.Background(), e.Stage.Module)
	if err != nil {
		l.field(e.ID, err.Error())
		return nothing
	}
	for _, name := range slices.SortedFunc(maps.Keys(res.Tests), func(a, b ex.Name) int { return strings.Compare(a.Test, b.Test) }) {
		t := res.Tests[name]
		if t.Outcome < ex.Failed {
			continue
		}
		says := t.Says
		if n := len(says) - 3; n > 0 {
			says = append(says[:3:3], l.say("more", n))
		}
		fmt.Fprintf(l.out, "%s  %s %s\n         %s\n", l.say("notyet"), e.ID, l.say("also", name.Test), strings.Join(says, "\n         "))
		code = notYet
	}
	return code
}

func (l *learner) failure(e *ex.Exercise, m *ex.Mark) {
	m.Row++
	if trap := l.s.Trap(e); trap != "" && m.Trap == "" {
		l.println("  → " + l.say("trap") + l.say(":") + strings.TrimSpace(e.TrapText(trap, l.lang)))
	}
	if m.Row%3 == 0 && m.Hints < 3 {
		l.println("  → " + l.say("offer", m.Hints+1, e.ID))
		return
	}
	l.println("         " + l.say("try", m.Tries, e.ID))
}

// own keeps those lines of a stack that lie in the learner's copy.
func (l *learner) own(stack []string) string {
	var b strings.Builder
	for _, line := range stack {
		if file, ok := strings.CutPrefix(strings.TrimSpace(line), l.s.StageDir()+string(filepath.Separator)); ok && !strings.Contains(b.String(), file) {
			file, _, _ = strings.Cut(file, " +0x")
			b.WriteString("         " + file + "\n")
		}
	}
	return b.String()
}

func (l *learner) success(e *ex.Exercise) {
	fmt.Fprintf(l.out, "%s  %s %s\n", l.say("done"), e.ID, e.Title(l.lang))
	l.field(l.say("why"), e.Why(l.lang))
	if all, err := ex.All(l.t); err == nil {
		// the next one after this, and only after the last the ones that were passed over
		here := slices.IndexFunc(all, func(x *ex.Exercise) bool { return x.ID == e.ID }) + 1
		all = slices.Concat(all[here:], all[:here])
		if i := slices.IndexFunc(all, func(x *ex.Exercise) bool { return l.p.Of(x.ID).Passed == "" }); i >= 0 {
			l.field(l.say("next"), "make exercise E="+all[i].ID+"  "+all[i].Title(l.lang))
		}
	}
}
