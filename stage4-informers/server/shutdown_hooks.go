package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

type shutdownHook struct {
	name string
	run  PreShutdownHookFunc
}

// PreShutdownHookFunc is run once when the server begins to stop, while it
// still answers requests.
//
// Differs: 1.7 has no such hooks; upstream has them since 1.9.
//
// Now: staging/src/k8s.io/apiserver/pkg/server/hooks.go PreShutdownHookFunc
type PreShutdownHookFunc func() error

// AddPreShutdownHook registers a hook under a name of its own.
//
// Now: staging/src/k8s.io/apiserver/pkg/server/hooks.go AddPreShutdownHook
func (s *GenericAPIServer) AddPreShutdownHook(name string, run PreShutdownHookFunc) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := slices.ContainsFunc(s.shutdown, func(h shutdownHook) bool { return h.name == name })
	if err := refuse(name, run == nil, taken, s.ending, "PreShutdownHooks"); err != nil {
		return err
	}
	s.shutdown = append(s.shutdown, shutdownHook{name, run})
	return nil
}

// runPreShutdownHooks calls one hook after the other; one that fails keeps no
// other from its turn.
//
// Now: staging/src/k8s.io/apiserver/pkg/server/hooks.go RunPreShutdownHooks
func (s *GenericAPIServer) runPreShutdownHooks(context.Context) (errs error) {
	s.mu.Lock()
	s.ending = true
	hooks := s.shutdown
	s.mu.Unlock()
	for _, h := range hooks {
		if err := call(h.run); err != nil {
			errs = errors.Join(errs, fmt.Errorf("PreShutdownHook %q failed: %w", h.name, err))
		}
	}
	return errs
}
