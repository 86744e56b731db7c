package tunnel_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"
)

// sshServer is a real SSH server that forwards connections, as a node's does.
type sshServer struct {
	net.Listener
	host ssh.Signer
	mute bool // answers no request on an open connection
	ends sync.WaitGroup

	mu         sync.Mutex // guards what follows
	authorized []byte     // the key that may log in; nil for none
	open       map[net.Conn]bool
	logins     int
	forwarded  int
	changed    *sync.Cond
}

// newNode starts a server that lets in who has the key. It ends with the test.
func newNode(t *testing.T, authorized ssh.PublicKey) *sshServer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	host, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	s := &sshServer{Listener: ln, host: host, open: map[net.Conn]bool{}}
	s.changed = sync.NewCond(&s.mu)
	if authorized != nil {
		s.authorized = authorized.Marshal()
	}
	s.ends.Go(s.accept)
	t.Cleanup(s.die)
	return s
}

func (s *sshServer) address() string { return s.Addr().String() }

func (s *sshServer) port() string {
	_, port, _ := net.SplitHostPort(s.address())
	return port
}

// die closes the server and everything that is open.
func (s *sshServer) die() {
	s.Close()
	s.cut()
	s.ends.Wait()
}

// cut ends the open connections; the server goes on.
func (s *sshServer) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.open {
		conn.Close()
	}
}

func (s *sshServer) authorize(key []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.authorized = key
}

func (s *sshServer) counts() (logins, forwarded int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logins, s.forwarded
}

// awaitClosed waits until no connection is open.
func (s *sshServer) awaitClosed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.open) > 0 {
		s.changed.Wait()
	}
}

func (s *sshServer) accept() {
	for {
		conn, err := s.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.open[conn] = true
		s.mu.Unlock()
		s.ends.Go(func() { s.serve(conn) })
	}
}

func (s *sshServer) serve(conn net.Conn) {
	defer func() {
		conn.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, conn)
		s.changed.Broadcast()
	}()
	config := &ssh.ServerConfig{PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !bytes.Equal(key.Marshal(), s.authorized) {
			return nil, errors.New("this key may not log in")
		}
		return nil, nil
	}}
	config.AddHostKey(s.host)
	c, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.logins++
	s.mu.Unlock()
	s.ends.Go(func() {
		for request := range requests {
			if request.WantReply && !s.mute {
				request.Reply(false, nil)
			}
		}
	})
	for channel := range channels {
		s.ends.Go(func() { s.forward(channel) })
	}
	c.Wait()
}

// forward connects a channel to the address that it asks for.
func (s *sshServer) forward(channel ssh.NewChannel) {
	var asked struct {
		Host     string
		Port     uint32
		FromHost string
		FromPort uint32
	}
	if err := ssh.Unmarshal(channel.ExtraData(), &asked); err != nil || channel.ChannelType() != "direct-tcpip" {
		channel.Reject(ssh.UnknownChannelType, "only direct-tcpip")
		return
	}
	to, err := net.DialTCP("tcp", nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: int(asked.Port)})
	if err != nil {
		channel.Reject(ssh.ConnectionFailed, err.Error())
		return
	}
	defer to.Close()
	stream, requests, err := channel.Accept()
	if err != nil {
		return
	}
	s.mu.Lock()
	s.forwarded++
	s.mu.Unlock()
	s.ends.Go(func() { ssh.DiscardRequests(requests) })
	var both sync.WaitGroup
	both.Go(func() { io.Copy(stream, to); stream.CloseWrite() })
	both.Go(func() { io.Copy(to, stream); to.CloseWrite() })
	both.Wait()
	stream.Close()
}
