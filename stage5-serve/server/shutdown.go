package server

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

type preShutdownHook struct {
	name string
	run  func() error
}

// AddPreShutdownHook registers something that has to happen while requests are
// still answered, when the server is about to stop. Hooks run one after the other.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/hooks.go AddPreShutdownHook
func (s *GenericAPIServer) AddPreShutdownHook(name string, run func() error) error {
	switch {
	case name == "":
		return errors.New("missing name")
	case run == nil:
		return fmt.Errorf("hook func may not be nil: %q", name)
	}
	for _, h := range s.preShutdownHooks {
		if h.name == name {
			return fmt.Errorf("unable to add %q because it is already registered", name)
		}
	}
	s.preShutdownHooks = append(s.preShutdownHooks, preShutdownHook{name, run})
	return nil
}

// beforeShutdown is the time between the signal and the end of new requests:
// /readyz is red, and load balancers have the delay to notice. The hooks run
// meanwhile. In-process informers have stopped before, requests are drained
// after it, then watches end, and the storage is closed last.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go RunPreShutdownHooks
func (s *GenericAPIServer) beforeShutdown(ctx context.Context) error {
	delay := time.NewTimer(s.ShutdownDelayDuration)
	defer delay.Stop()
	var errs []error
	for _, h := range s.preShutdownHooks {
		if err := callHook(h); err != nil {
			errs = append(errs, fmt.Errorf("PreShutdownHook %q failed: %w", h.name, err))
		}
	}
	select {
	case <-delay.C:
	case <-ctx.Done():
	}
	return errors.Join(errs...)
}

func callHook(h preShutdownHook) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return h.run()
}
