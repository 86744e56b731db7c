package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/kube-apiserver/docs/tools/ex"
	"example.com/kube-apiserver/docs/tools/md"
	"example.com/kube-apiserver/docs/tools/tree"
	"github.com/rogpeppe/go-internal/diff"
)

// learner is what all verbs about exercises begin with.
type learner struct {
	*call
	t  *tree.Tree
	id string
	s  *ex.Scratch
	p  *ex.Progress
}

func (c *call) learner(mustExist bool) (*learner, error) {
	t, err := c.tree()
	if err != nil {
		return nil, err
	}
	l := &learner{call: c, t: t, id: c.arg(0, "E")}
	if l.s, err = ex.Open(t, l.id); err != nil {
		return nil, err
	}
	if mustExist && !l.s.Exists() {
		return nil, fmt.Errorf("%s", c.say("first", l.id))
	}
	l.p, err = ex.ReadProgress(t)
	return l, err
}

// rel is a path as seen from the root, where make runs.
func (l *learner) rel(p string) string {
	if r, err := filepath.Rel(l.t.Root, p); err == nil && !strings.HasPrefix(r, "..") {
		return filepath.ToSlash(r)
	}
	return p
}

func exercise(c *call) error {
	l, err := c.learner(false)
	if err != nil {
		return err
	}
	if l.s.Exists() {
		return fmt.Errorf("%s", l.say("exists", l.rel(l.s.Dir), l.id))
	}
	return l.begin()
}

func reset(c *call) error {
	l, err := c.learner(true)
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		old := fmt.Sprintf("%s.bak%d", l.s.Dir, n)
		if _, err := os.Stat(old); err == nil {
			continue
		}
		if err := os.Rename(l.s.Dir, old); err != nil {
			return err
		}
		l.println(l.say("kept", l.rel(old)))
		return l.begin()
	}
}

// begin cuts the copy and says what is to be done in it.
func (l *learner) begin() error {
	trap := ""
	if l.kind == "debug" {
		if traps := l.s.Exercises[0].Traps(); len(l.s.Exercises) == 1 && len(traps) > 0 {
			trap = traps[0]
		} else {
			return fmt.Errorf("exercise %s has no bug to find; leave KIND out", l.id)
		}
	}
	if err := l.s.Cut(trap); err != nil {
		return err
	}
	for _, e := range l.s.Exercises {
		m := l.p.Of(e.ID)
		m.Trap, m.Row = trap, 0
		l.introduce(e, trap)
	}
	return l.p.Save()
}

func (l *learner) introduce(e *ex.Exercise, trap string) {
	title := e.Title(l.lang) + strings.Repeat(" ", max(32-width(e.Title(l.lang)), 0))
	fmt.Fprintf(l.out, "%s %s  %s %s   %s\n", l.say("exercise"), e.ID, title, e.Stage.Dir, l.say("about", e.Minutes))
	if page, err := md.Chapter(l.t.Root, l.lang, fmt.Sprint(e.Stage.N)); err == nil {
		if task := page.Task(e.ID); task != "" {
			l.field(l.say("task"), task)
		}
		if sec, ok := page.Section(e.ID); ok {
			l.field(l.say("read"), fmt.Sprintf("%s:%d  %s %s", page.Path, sec.Line, l.say("section"), e.ID))
		}
	}
	for i, b := range e.Blanks {
		_, line, _ := l.s.Written(e, i)
		l.field(l.say("edit"), fmt.Sprintf("%s:%d", l.rel(l.s.Path(b.File)), line))
	}
	if trap != "" {
		l.field(l.say("now"), l.say("debug", l.id))
		return
	}
	red, now := l.say("red", l.id), ex.Now(l.t, e)
	if len(now) == 0 {
		red = strings.TrimRight(red, ":：")
	}
	l.field(l.say("now"), strings.Join(append([]string{red}, now...), "\n"))
}

func hint(c *call) error {
	l, err := c.learner(false)
	if err != nil {
		return err
	}
	e := l.s.Exercises[0]
	if len(l.s.Exercises) > 1 {
		return fmt.Errorf("say of which exercise, such as E=%s", e.ID)
	}
	m := l.p.Of(e.ID)
	grade := c.grade
	if grade < 1 || grade > 3 {
		grade = min(m.Hints+1, 3)
	}
	m.Hints = max(m.Hints, grade)
	l.println(l.say("hint", grade))
	l.println(strings.TrimRight(e.Hint(grade, l.lang), "\n"))
	return l.p.Save()
}

func solution(c *call) error {
	l, err := c.learner(false)
	if err != nil {
		return err
	}
	for _, e := range l.s.Exercises {
		m := l.p.Of(e.ID)
		if m.Tries == 0 && !c.yes {
			return fmt.Errorf("%s", l.say("sure", e.ID))
		}
		m.Seen = true
		if e.Open {
			l.println(e.Patch())
		}
		for i, b := range e.Blanks {
			ref, err := e.Reference(l.t, i)
			if err != nil {
				return err
			}
			mine, _, err := l.s.Written(e, i)
			if err != nil {
				mine = e.Stub(i)
			}
			if d := diff.Diff(b.File+" (yours)", []byte(mine), b.File, []byte(ref)); d != nil {
				fmt.Fprintf(l.out, "%s", d)
			} else {
				l.println(l.say("same"))
			}
		}
		l.field(l.say("why"), e.Why(l.lang))
	}
	return l.p.Save()
}
