package main

import (
	"fmt"

	"example.com/kube-apiserver/docs/tools/book"
)

func (c *call) book() (*book.Book, error) {
	t, err := c.tree()
	if err != nil {
		return nil, err
	}
	return book.Load(t)
}

func docs(c *call) error {
	b, err := c.book()
	if err != nil {
		return err
	}
	changed, found, err := b.Write()
	if err != nil {
		return err
	}
	for _, p := range changed {
		c.println("filled", p)
	}
	return c.report(found)
}

func docsCheck(c *call) error {
	b, err := c.book()
	if err != nil {
		return err
	}
	found, err := b.Check()
	if err != nil {
		return err
	}
	for _, p := range found {
		fmt.Fprintf(c.out, "%s:%d: [%s] %s\n", p.File, p.Line, p.Check, p.Text)
	}
	if len(found) > 0 {
		return notYet
	}
	return nil
}

func i18nOK(c *call) error {
	b, err := c.book()
	if err != nil {
		return err
	}
	found, err := b.Accept(c.arg(0, "C"), c.arg(1, "S"))
	if err != nil {
		return err
	}
	return c.report(found)
}
