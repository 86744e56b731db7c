package tunnel

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// tunnel is the way to one node.
type tunnel struct {
	address string
	cancel  context.CancelFunc // ends keep
	client  *ssh.Client        // guarded by the tunneler's mutex; nil while it is not open
}

// keep opens the tunnel again and again until ctx ends. It alone opens and
// closes it, so a tunnel that died is never mistaken for its successor. What
// is wrong it says once, not with each attempt.
func (t *SSHTunneler) keep(ctx context.Context, n *tunnel) {
	said := ""
	for {
		client, err := t.open(ctx, n.address)
		if err == nil {
			t.set(n, client)
			err = t.watch(ctx, client)
			t.set(n, nil)
		}
		if ctx.Err() != nil {
			return
		}
		if err.Error() != said {
			said = err.Error()
			log.Printf("ssh tunnel to %s: %s; trying again every %s", n.address, said, redialAfter)
		}
		select {
		case <-ctx.Done():
			return
		case <-t.After(redialAfter):
		}
	}
}

func (t *SSHTunneler) set(n *tunnel, client *ssh.Client) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n.client = client
}

// open connects and logs in. The end of ctx interrupts it at every point, and
// a server that accepts the connection but says nothing is given up.
//
// Upstream: pkg/ssh/ssh.go Open
func (t *SSHTunneler) open(ctx context.Context, address string) (*ssh.Client, error) {
	dialer := net.Dialer{Timeout: t.Patience}
	conn, err := dialer.DialContext(ctx, "tcp", withPort(address))
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	conn.SetDeadline(time.Now().Add(t.Patience)) // fails only on a closed connection, and so will the next line
	c, channels, requests, err := ssh.NewClientConn(conn, address, &ssh.ClientConfig{
		User:            t.User,
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(t.signer)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		conn.Close()
		return nil, err
	}
	conn.SetDeadline(time.Time{})
	return ssh.NewClient(c, channels, requests), nil
}

// watch returns, with the client closed, once the connection has ended, the
// node has given no sign of life, or ctx has ended.
func (t *SSHTunneler) watch(ctx context.Context, client *ssh.Client) error {
	var running sync.WaitGroup
	defer running.Wait()
	defer client.Close() // ends what is waited for
	ended := make(chan error, 1)
	running.Go(func() { ended <- client.Wait() })
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			return fmt.Errorf("connection ended: %w", err)
		case <-t.After(checkEvery):
		}
		answer := make(chan error, 1)
		running.Go(func() {
			_, _, err := client.SendRequest("keepalive@openssh.com", true, nil)
			answer <- err
		})
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-answer: // also a no is a sign of life
			if err != nil {
				return err
			}
		case <-t.After(t.Patience):
			return errors.New("no sign of life")
		}
	}
}

func host(address string) string {
	if h, _, err := net.SplitHostPort(address); err == nil {
		return h
	}
	return address
}

func withPort(address string) string {
	if _, _, err := net.SplitHostPort(address); err == nil {
		return address
	}
	return net.JoinHostPort(address, "22")
}
