package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"example.com/kube-apiserver/docs/tools/ex"
	"example.com/kube-apiserver/docs/tools/see"
	"example.com/kube-apiserver/docs/tools/tree"
)

// play plays a stage's transcripts against what is built from the stage now, or
// from the copy of an exercise.
func play(c *call) error {
	t, s, _, err := c.stage()
	if err != nil {
		return err
	}
	files, err := see.Files(t, s.N)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("there is no docs/transcripts/stage%d.txtar", s.N)
	}
	bin, err := os.MkdirTemp("", "lab")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	p := &see.Player{Tree: t, Bin: bin, Update: c.update}
	if id := os.Getenv("E"); id != "" {
		sc, err := ex.Open(t, id)
		if err != nil {
			return err
		}
		if !sc.Exists() {
			return fmt.Errorf("%s", c.say("first", id))
		}
		p.Dirs = func(stage tree.Stage) string {
			if stage == sc.Stage {
				return sc.StageDir()
			}
			return t.Abs(stage.Dir)
		}
	}
	in := bufio.NewReader(c.in)
	p.Aloud = func(command string) io.Writer {
		fmt.Fprintf(c.out, "$ %s", strings.ReplaceAll(command, "\n", "\n  "))
		if c.step {
			in.ReadString('\n') // at the end of input it goes on
		} else {
			c.println()
		}
		return c.out
	}
	if !see.Play(c.out, p.Params(files)) {
		return notYet
	}
	return nil
}

// try runs the server of a learner's copy, with data of its own, until Ctrl-C.
func try(c *call) error {
	l, err := c.learner(true)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bin, err := see.Build(ctx, l.s.StageDir(), filepath.Join(l.s.Dir, "bin"))
	if err != nil {
		l.println(err)
		return unbuilt
	}
	if k := see.Kubeconfig(l.s.Stage.N); k != "" {
		path := filepath.Join(l.s.Dir, filepath.FromSlash(k))
		if strings.Contains(path, " ") {
			path = "'" + path + "'"
		}
		fmt.Fprintf(l.out, "  second terminal:  export KUBECONFIG=%s\n", path)
	}
	srv, err := see.Start(ctx, l.s.Stage, bin, l.s.Dir, l.out)
	if err != nil {
		l.println(err)
		return notYet
	}
	if err := srv.Wait(); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}
