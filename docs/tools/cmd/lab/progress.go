package main

import (
	"fmt"
	"strings"

	"example.com/kube-apiserver/docs/tools/ex"
	"example.com/kube-apiserver/docs/tools/tree"
)

func progress(c *call) error {
	t, err := c.tree()
	if err != nil {
		return err
	}
	all, err := ex.All(t)
	if err != nil {
		return err
	}
	p, err := ex.ReadProgress(t)
	if err != nil {
		return err
	}
	for _, s := range t.Stages {
		var bar, rows, next string
		done, n := 0, 0
		for _, e := range all {
			if e.Stage != s {
				continue
			}
			n++
			state := c.state(t, e, p.Of(e.ID))
			if p.Of(e.ID).Passed != "" {
				done++
				bar += "#"
			} else {
				bar += "."
				if next == "" {
					next = "   " + c.say("next") + c.say(":") + e.ID + " " + e.Title(c.lang)
				}
			}
			if state != "" {
				rows += fmt.Sprintf("   %-5s %s  %s\n", e.ID, e.Title(c.lang), state)
			}
		}
		if n > 0 {
			fmt.Fprintf(c.out, "stage%d  [%s] %d/%d%s\n%s", s.N, bar, done, n, next, rows)
		}
	}
	return nil
}

// state says in words how far an exercise is; "" if it was not touched.
func (c *call) state(t *tree.Tree, e *ex.Exercise, m *ex.Mark) string {
	var parts []string
	if s, err := ex.Open(t, e.ID); err == nil && m.Passed != "" && s.Exists() && (m.Row > 0 || s.Hash(e) != m.Passed) {
		parts = append(parts, c.say("changed"))
	} else if m.Passed != "" {
		parts = append(parts, c.say("done"))
	} else if m.Tries > 0 {
		parts = append(parts, c.say("tried"))
	}
	if m.Hints > 0 {
		parts = append(parts, c.say("hints", m.Hints))
	}
	if m.Seen {
		parts = append(parts, c.say("seen"))
	}
	return strings.Join(parts, c.say(","))
}
