package main

import (
	"cmp"
	"errors"
	"fmt"

	"example.com/kube-apiserver/docs/tools/doctor"
)

// machine is one of the verbs about the learner's machine.
func machine(verb string) func(*call) error {
	return func(c *call) error {
		t, err := c.tree()
		if err != nil {
			return err
		}
		m := doctor.Machine{Root: t.Root, Lang: c.lang, Out: c.out}
		err = m.Run(verb, c.arg(0, "PACK"))
		if errors.Is(err, doctor.ErrNotReady) {
			return notYet
		}
		return err
	}
}

func plan(c *call) error {
	b, err := c.book()
	if err != nil {
		return err
	}
	sheet, err := b.RunSheet(c.arg(0, "FORMAT"), c.lang, cmp.Or(c.arg(1, "START"), "09:00"))
	if err != nil {
		return err
	}
	fmt.Fprint(c.out, sheet)
	return nil
}
