package server

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	stage3 "example.com/kube-apiserver/stage3-storage/server"
)

// GenericAPIServer is stage 3's with hooks.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go GenericAPIServer
type GenericAPIServer struct {
	*stage3.GenericAPIServer

	mu       sync.Mutex // guards what follows
	hooks    []*hook
	called   bool
	shutdown []shutdownHook
	ending   bool
	running  sync.WaitGroup
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
	StopCh <-chan struct{} // closed when the server begins to stop
	// Go starts a goroutine with a context that ends with StopCh. The server
	// waits for it before it stops serving.
	Go func(func(context.Context))
}

// New adds hooks to a server.
func New(s *stage3.GenericAPIServer) *GenericAPIServer {
	g := &GenericAPIServer{GenericAPIServer: s}
	s.On(stage1.Listening, "post-start hooks", g.runPostStartHooks)
	s.On(stage1.Stopping, "pre-shutdown hooks", g.runPreShutdownHooks)
	s.On(stage1.Stopping, "what post-start hooks have started", g.wait)
	return g
}

// AddPostStartHook registers a hook under a name of its own, with a health
// check poststarthook/NAME.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/hooks.go AddPostStartHook
func (s *GenericAPIServer) AddPostStartHook(name string, run PostStartHookFunc) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := slices.ContainsFunc(s.hooks, func(h *hook) bool { return h.name == name })
	if err := refuse(name, run == nil, taken, s.called, "PostStartHooks"); err != nil {
		return err
	}
	h := &hook{name, run, make(chan struct{})}
	s.hooks = append(s.hooks, h)
	s.Health = append(s.Health, stage1.HealthCheck{Name: "poststarthook/" + name, Check: h.check})
	return nil
}

// refuse says what keeps a hook from being registered.
func refuse(name string, missing, taken, late bool, kind string) error {
	switch {
	case name == "":
		return errors.New("missing name")
	case missing:
		return fmt.Errorf("hook func may not be nil: %q", name)
	case late:
		return fmt.Errorf("unable to add %q because %s have already been called", name, kind)
	case taken:
		return fmt.Errorf("unable to add %q because it is already registered", name)
	}
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
	hookContext := PostStartHookContext{ctx.Done(), func(f func(context.Context)) { s.running.Go(func() { f(ctx) }) }}
	for _, h := range s.hooks {
		s.running.Go(func() {
			if err := call(func() error { return h.run(hookContext) }); err != nil {
				s.Fail(fmt.Errorf("PostStartHook %q failed: %w", h.name, err))
				return
			}
			close(h.done)
		})
	}
	return nil
}

// call runs the hook. A panic is an error like any other.
func call(run func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return run()
}

// wait returns when nothing that a hook has started runs any more, or ctx ends.
func (s *GenericAPIServer) wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.running.Wait()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.New("some of it has not ended in time")
	}
}
