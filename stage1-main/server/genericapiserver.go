package server

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"example.com/kube-apiserver/stage1-main/startup"
)

// Config is what a GenericAPIServer is made of.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config.go Config
type Config struct {
	Name        string
	Startup     *startup.Log
	Install     func(*GenericAPIServer)               // adds the paths that every server has, such as /healthz
	Drain       func(*GenericAPIServer, *http.Server) // sees to the end of open requests; nil: nobody tells them to end
	StopTimeout time.Duration                         // of the whole stop; 0 is 30 seconds
}

// HealthCheck is one named thing that has to be well.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/healthz/healthz.go HealthzChecker
type HealthCheck struct {
	Name  string
	Check func() error
}

// GenericAPIServer is one API server. Later stages embed it and add methods.
// Fill it before PrepareRun; after that only Mux may change.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go GenericAPIServer
type GenericAPIServer struct {
	Config
	Mux    *PathRecorderMux
	Health []HealthCheck
	API    func(next http.Handler) http.Handler // nil, or gets every request first; next is the mux

	delegate *GenericAPIServer
	director http.Handler
	actions  map[Phase][]action
	failed   chan error
}

// New makes a server. What it has no route for, delegate answers; the
// delegate's actions and health checks are this server's as well.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config.go New
func New(c Config, delegate *GenericAPIServer) *GenericAPIServer {
	s := &GenericAPIServer{Config: c, Mux: NewPathRecorderMux(), delegate: delegate, actions: map[Phase][]action{}, failed: make(chan error, 1)}
	if delegate != nil {
		s.failed = delegate.failed
	}
	return s
}

// Delegation is the server and its delegates, outermost first.
func (s *GenericAPIServer) Delegation() (servers []*GenericAPIServer) {
	for ; s != nil; s = s.delegate {
		servers = append(servers, s)
	}
	return servers
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
		s.Mux.NotFound = s.delegate.PrepareRun().director
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
	err := p.run(ctx, Preparing, Serving, Listening)
	if err == nil {
		select {
		case <-stopCh:
		case err = <-p.failed:
		}
	}
	cancel()
	ctx, cancel = context.WithTimeout(context.Background(), cmp.Or(p.StopTimeout, 30*time.Second))
	defer cancel()
	return errors.Join(err, p.run(ctx, Stopping, Stopped))
}

// Fail makes Run stop in order and return err. It may be called from any
// goroutine; the first error counts.
func (s *GenericAPIServer) Fail(err error) {
	select {
	case s.failed <- err:
	default:
	}
}
