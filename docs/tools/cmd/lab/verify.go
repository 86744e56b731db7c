package main

import (
	"context"

	"example.com/kube-apiserver/docs/tools/ex"
)

func verify(c *call) error {
	t, err := c.tree()
	if err != nil {
		return err
	}
	some, err := ex.All(t)
	if err != nil {
		return err
	}
	if len(c.args) > 0 {
		some = nil
		for _, id := range c.args {
			e, err := ex.Load(t, id)
			if err != nil {
				return err
			}
			some = append(some, e)
		}
	}
	v := ex.Verifier{Tree: t, Out: c.out, Count: c.count, Update: c.update, Timeout: c.timeout}
	found, err := v.Verify(context.Background(), some)
	if err == nil && len(found) > 0 {
		return notYet
	}
	return err
}
