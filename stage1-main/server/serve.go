package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// AddEndpoint lets the server accept on an open socket, behind filters.
func (s *GenericAPIServer) AddEndpoint(name string, ln net.Listener, c Chain) {
	s.On(Serving, "serve "+name, func(context.Context) error {
		s.Serve(name, &http.Server{Handler: c.Then(s.director)}, ln)
		return nil
	})
}

// Serve starts to accept and returns. The goroutine that it starts ends in the
// phase Stopped, after the last request; a server that stops by itself fails
// the whole process.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/serve.go RunServer
func (s *GenericAPIServer) Serve(name string, server *http.Server, ln net.Listener) {
	server.ReadHeaderTimeout = 32 * time.Second
	server.MaxHeaderBytes = 1 << 20
	if s.Drain != nil {
		s.Drain(s, server)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			s.Fail(fmt.Errorf("serving %s on %s: %w", name, ln.Addr(), err))
		}
	}()
	s.On(Stopped, "stop serving "+name, func(ctx context.Context) error {
		err := server.Shutdown(ctx) // closes the socket at once, then waits for requests
		if err != nil {
			server.Close() // those who did not finish in time are cut off
		}
		<-done
		return err
	})
}
