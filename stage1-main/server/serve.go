package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Endpoint is an open socket and the filters that stand before the server on it.
type Endpoint struct {
	Name     string // for messages: "http", "https"
	Listener net.Listener
	Chain    Chain
}

// AddEndpoint lets the server accept on a socket from the phase Serving on.
// The socket is open already, so that a port in use is known before anything else is done.
func (s *GenericAPIServer) AddEndpoint(e Endpoint) { s.endpoints = append(s.endpoints, e) }

func (s *GenericAPIServer) serve(e Endpoint) {
	s.Serve(e.Name, &http.Server{Handler: e.Chain.Then(s.director)}, e.Listener)
}

// Serve starts to accept and returns. The goroutine that it starts ends in the
// phase Stopped, after the last request; a server that stops by itself fails
// the whole process.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/serve.go RunServer
func (s *GenericAPIServer) Serve(name string, server *http.Server, ln net.Listener) {
	server.ReadHeaderTimeout = 32 * time.Second
	server.MaxHeaderBytes = 1 << 20
	inFlight := &requests{ending: make(chan struct{}), none: make(chan struct{})}
	server.Handler = inFlight.count(server.Handler)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			s.Fail(fmt.Errorf("serving %s on %s: %w", name, ln.Addr(), err))
		}
	}()
	s.On(Stopped, "stop serving "+name, func(ctx context.Context) error {
		shut := make(chan error, 1)
		go func() { shut <- server.Shutdown(ctx) }() // closes the socket at once, then waits
		inFlight.drain(ctx)
		err := <-shut
		if err != nil {
			server.Close() // those who did not finish in time are cut off
		}
		<-done
		return err
	})
}
