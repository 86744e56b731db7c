package clienttest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os/exec"
	"sync"

	"github.com/creack/pty"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// container is a process with what it has printed.
type container struct {
	in       io.Writer
	previous string

	mu      sync.Mutex // guards what follows
	printed bytes.Buffer
	more    chan struct{} // closed when more was printed
}

// run starts a process as a container of a pod in the namespace default.
func (k *kubelet) run(pod, name string, command ...string) *container {
	k.Helper()
	c := &container{previous: "an earlier life\n", more: make(chan struct{})}
	cmd := exec.CommandContext(k.Context(), command[0], command[1:]...)
	in, err := cmd.StdinPipe()
	must(k.T, err)
	c.in, cmd.Stdout, cmd.Stderr = in, c, c
	must(k.T, cmd.Start())
	k.Cleanup(func() { in.Close(); cmd.Wait() }) // a process ends with its input
	k.containers["default/"+pod+"/"+name] = c
	return c
}

// Write is part of io.Writer.
func (c *container) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.more)
	c.more = make(chan struct{})
	return c.printed.Write(p)
}

// since is what was printed behind the first n bytes, and tells when there is more.
func (c *container) since(n int) ([]byte, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.printed.Bytes()[n:]), c.more
}

// follow writes what was and will be printed behind the first n bytes, until
// the reader has gone.
func (c *container) follow(ctx context.Context, w io.Writer, n int) error {
	for {
		text, more := c.since(n)
		if _, err := w.Write(text); err != nil {
			return err
		}
		n += len(text)
		if f, ok := w.(http.Flusher); ok && len(text) > 0 {
			f.Flush()
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// onPipes runs a process until it ends. It is killed when nobody hears it any more.
func onPipes(kill func(), cmd *exec.Cmd, in io.Reader, out, errs io.Writer) error {
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if out != nil {
		cmd.Stdout = out
	}
	if errs != nil {
		cmd.Stderr = errs
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { // ends with the stream, which ends with the connection
		defer stdin.Close()
		if in == nil {
			return
		}
		if _, err := io.Copy(stdin, in); err != nil {
			kill()
		}
	}()
	return cmd.Wait()
}

func onTerminal(cmd *exec.Cmd, in io.Reader, out io.Writer, resize <-chan remotecommand.TerminalSize) error {
	var size *pty.Winsize
	if first, ok := <-resize; ok {
		size = &pty.Winsize{Rows: first.Height, Cols: first.Width}
	}
	terminal, err := pty.StartWithSize(cmd, size)
	if err != nil {
		return err
	}
	defer terminal.Close()
	go io.Copy(terminal, in) // ends with the stream
	io.Copy(out, terminal)   // ends, with an error, when the process has
	return cmd.Wait()
}

// AttachContainer is part of remotecommand.Attacher.
func (c *container) AttachContainer(ctx context.Context, _, _, _ string, in io.Reader, out, _ io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	text, _ := c.since(0)
	if in != nil {
		go func() { io.Copy(c.in, in); cancel() }() // the client has no more to say, and goes
	}
	c.follow(ctx, out, len(text))
	return nil
}
