package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"example.com/kube-apiserver/stage1-main/startup"
)

// Config is what a GenericAPIServer is made of.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config.go Config
type Config struct {
	Name    string
	Startup *startup.Log
	// Install adds the paths that every server has, such as /healthz.
	Install func(*GenericAPIServer)
	// StopTimeout bounds the whole stop; 0 is 30 seconds.
	StopTimeout time.Duration
}

// Phase is a point in a server's life at which named actions run.
type Phase int

const (
	Preparing Phase = iota // routes are installed; nobody listens yet
	Serving                // sockets begin to accept
	Listening              // every socket accepts: post-start hooks
	Stopping               // readyz is red, requests still come
	Stopped                // no request is left; actions run in reverse order
)

// GenericAPIServer is one API server. Later stages embed it and add methods.
// Fill it before PrepareRun; after that only Mux may change.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go GenericAPIServer
type GenericAPIServer struct {
	Config
	Mux    *PathRecorderMux
	Health *HealthChecks
	// API, if set, gets every request first; what it does not know it hands
	// on to the handler that it was given: the mux.
	API func(next http.Handler) http.Handler

	endpoints []Endpoint
	delegate  *GenericAPIServer
	actions   []action
	director  http.Handler
	failed    chan error
}

type action struct {
	phase Phase
	name  string
	run   func(context.Context) error
}

// New makes a server. What it has no route for, delegate answers; the
// delegate's actions and health checks become part of this server's.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config.go New
func New(c Config, delegate *GenericAPIServer) *GenericAPIServer {
	s := &GenericAPIServer{Config: c, Mux: NewPathRecorderMux(), Health: &HealthChecks{}, delegate: delegate, failed: make(chan error, 1)}
	if delegate != nil {
		s.Health.next = delegate.Health
		s.failed = delegate.failed
	}
	return s
}

// Names are those of the server and its delegates, outermost first.
func (s *GenericAPIServer) Names() []string {
	if s.delegate == nil {
		return []string{s.Name}
	}
	return append([]string{s.Name}, s.delegate.Names()...)
}

// On adds an action to a phase. The context that it gets ends when the server
// begins to stop; an action of Stopping or Stopped gets one with a deadline.
// Actions of a delegate come before those of its delegator.
func (s *GenericAPIServer) On(p Phase, name string, run func(context.Context) error) {
	s.actions = append(s.actions, action{p, name, run})
}

// Fail makes Run stop in order and return err. It may be called from any
// goroutine; the first error counts.
func (s *GenericAPIServer) Fail(err error) {
	select {
	case s.failed <- err:
	default:
	}
}

// UnprotectedHandler is the server without its filters: a delegator enters
// here, because the filters have run already.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go UnprotectedHandler
func (s *GenericAPIServer) UnprotectedHandler() http.Handler { return s.director }

// PrepareRun installs what every server has. The result is the only thing that can Run.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go PrepareRun
func (s *GenericAPIServer) PrepareRun() preparedGenericAPIServer {
	if s.delegate != nil {
		s.delegate.PrepareRun()
		s.Mux.NotFound = s.delegate.director
	}
	if s.Install != nil {
		s.Install(s)
	}
	s.director = s.Mux
	if s.API != nil {
		s.director = s.API(s.Mux)
	}
	return preparedGenericAPIServer{s}
}

type preparedGenericAPIServer struct{ *GenericAPIServer }

// Run serves until stopCh is closed or something fails, and returns when
// everything has stopped. It is the life of the process.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go Run
func (p preparedGenericAPIServer) Run(stopCh <-chan struct{}) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := p.start(ctx)
	if err == nil {
		select {
		case <-stopCh:
		case err = <-p.failed:
		}
	}
	cancel()
	return errors.Join(err, p.stop())
}

func (s *GenericAPIServer) start(ctx context.Context) error {
	if err := s.run(ctx, Preparing); err != nil {
		return err
	}
	for _, e := range s.endpoints {
		s.serve(e)
	}
	if err := s.run(ctx, Serving); err != nil {
		return err
	}
	return s.run(ctx, Listening)
}

func (s *GenericAPIServer) stop() error {
	timeout := s.StopTimeout
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	s.Health.shutDown()
	return errors.Join(s.run(ctx, Stopping), s.run(ctx, Stopped))
}

// run calls the actions of a phase, the delegate's first, but those of Stopped
// in reverse. At the start the first error ends it; at the stop every action
// gets its turn.
func (s *GenericAPIServer) run(ctx context.Context, p Phase) error {
	list := s.actionsOf(p)
	if p == Stopped {
		slices.Reverse(list)
	}
	var errs []error
	for _, a := range list {
		if err := a.run(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", a.name, err))
			if p < Stopping {
				break
			}
		}
	}
	return errors.Join(errs...)
}

func (s *GenericAPIServer) actionsOf(p Phase) (list []action) {
	if s.delegate != nil {
		list = s.delegate.actionsOf(p)
	}
	for _, a := range s.actions {
		if a.phase == p {
			list = append(list, a)
		}
	}
	return list
}

// ListedPaths are the paths of the server and of its delegates, sorted.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go ListedPaths
func (s *GenericAPIServer) ListedPaths() []string {
	paths := s.Mux.ListedPaths()
	if s.delegate != nil {
		paths = append(paths, s.delegate.ListedPaths()...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
