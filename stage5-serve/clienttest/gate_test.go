package clienttest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"
)

// gate is an SSH server before a network of nodes and pods. Whatever address
// of that network is asked for, it leads to the port on 127.0.0.1.
type gate struct {
	net.Listener
	*testing.T
	key    string // file with the private key that lets one in
	opened chan struct{}
	config *ssh.ServerConfig
	ends   sync.WaitGroup
}

func newGate(t *testing.T) *gate {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	signer, err := ssh.NewSignerFromKey(private)
	must(t, err)
	block, err := ssh.MarshalPrivateKey(private, "")
	must(t, err)
	g := &gate{Listener: ln, T: t, key: filepath.Join(t.TempDir(), "key"), opened: make(chan struct{}, 100)}
	must(t, os.WriteFile(g.key, pem.EncodeToMemory(block), 0o600))
	g.config = &ssh.ServerConfig{PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		if !bytes.Equal(key.Marshal(), signer.PublicKey().Marshal()) {
			return nil, errors.New("this key may not log in")
		}
		return nil, nil
	}}
	g.config.AddHostKey(signer)
	g.ends.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			g.ends.Go(func() { g.serve(conn) })
		}
	})
	t.Cleanup(func() { ln.Close(); g.ends.Wait() }) // the server, which has ended by then, has closed the tunnels
	return g
}

func (g *gate) address() string { return g.Addr().String() }

// await returns when a tunnel is open.
func (g *gate) await() {
	g.Helper()
	select {
	case <-g.opened:
	case <-within(g.T).Done():
		g.Fatal("the server opens no tunnel")
	}
}

func (g *gate) serve(conn net.Conn) {
	defer conn.Close()
	_, channels, requests, err := ssh.NewServerConn(conn, g.config)
	if err != nil {
		return
	}
	g.opened <- struct{}{}
	g.ends.Go(func() { ssh.DiscardRequests(requests) })
	for channel := range channels {
		g.ends.Go(func() { g.lead(channel) })
	}
}

func (g *gate) lead(channel ssh.NewChannel) {
	var asked struct {
		Host     string
		Port     uint32
		FromHost string
		FromPort uint32
	}
	if err := ssh.Unmarshal(channel.ExtraData(), &asked); err != nil || net.ParseIP(asked.Host).IsLoopback() {
		channel.Reject(ssh.Prohibited, "not an address of this network")
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
	g.ends.Go(func() { ssh.DiscardRequests(requests) })
	var both sync.WaitGroup
	both.Go(func() { io.Copy(stream, to); stream.CloseWrite() })
	both.Go(func() { io.Copy(to, stream); to.CloseWrite() })
	both.Wait()
	stream.Close()
}
