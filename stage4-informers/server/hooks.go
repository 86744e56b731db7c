package server

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	stage3 "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage4-informers/client"
)

// GenericAPIServer is stage 3's with hooks.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go GenericAPIServer
type GenericAPIServer struct {
	*stage3.GenericAPIServer
	loopback *client.Client

	mu      sync.Mutex // guards what follows
	hooks   []*hook
	called  bool
	running sync.WaitGroup
}

type hook struct {
	name string
	run  PostStartHookFunc
	done chan struct{}
}

// PostStartHookFunc is run once, in a goroutine of its own, when the server
// accepts requests. It starts things and returns; as long as it has not
// returned, /healthz is red.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/hooks.go PostStartHookFunc
type PostStartHookFunc func(context PostStartHookContext) error

// PostStartHookContext is what a hook gets.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/hooks.go PostStartHookContext
type PostStartHookContext struct {
	LoopbackClient *client.Client  // talks to this server as its own administrator
	StopCh         <-chan struct{} // closed when the server begins to stop
	// Go starts a goroutine with a context that ends with StopCh. The server
	// waits for it before it stops serving.
	Go func(func(context.Context))
}

// New adds hooks to a server. loopback is handed to them.
func New(s *stage3.GenericAPIServer, loopback *client.Client) *GenericAPIServer {
	g := &GenericAPIServer{GenericAPIServer: s, loopback: loopback}
	s.On(stage1.Listening, "post-start hooks", g.runPostStartHooks)
	s.On(stage1.Stopping, "post-start hooks", func(context.Context) error { g.running.Wait(); return nil })
	return g
}

// AddPostStartHook registers a hook under a name of its own, with a health
// check poststarthook/NAME.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/hooks.go AddPostStartHook
func (s *GenericAPIServer) AddPostStartHook(name string, run PostStartHookFunc) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case name == "":
		return errors.New("missing name")
	case run == nil:
		return fmt.Errorf("hook func may not be nil: %q", name)
	case s.called:
		return fmt.Errorf("unable to add %q because PostStartHooks have already been called", name)
	}
	for _, h := range s.hooks {
		if h.name == name {
			return fmt.Errorf("unable to add %q because it is already registered", name)
		}
	}
	h := &hook{name, run, make(chan struct{})}
	s.hooks = append(s.hooks, h)
	s.Health.Add(stage1.HealthCheck{Name: "poststarthook/" + name, Check: h.check})
	return nil
}

func (h *hook) check() error {
	select {
	case <-h.done:
		return nil
	default:
		return errors.New("not finished")
	}
}

// runPostStartHooks starts all hooks at once: none waits for another.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/hooks.go RunPostStartHooks
func (s *GenericAPIServer) runPostStartHooks(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.called = true
	hookContext := PostStartHookContext{s.loopback, ctx.Done(), func(f func(context.Context)) { s.running.Go(func() { f(ctx) }) }}
	for _, h := range s.hooks {
		s.running.Go(func() {
			if err := call(h, hookContext); err != nil {
				s.Fail(fmt.Errorf("PostStartHook %q failed: %w", h.name, err))
				return
			}
			close(h.done)
		})
	}
	return nil
}

func call(h *hook, c PostStartHookContext) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return h.run(c)
}
