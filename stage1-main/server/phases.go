package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Phase is a point in a server's life at which named actions run.
type Phase int

const (
	Preparing Phase = iota // routes are installed; nobody listens yet
	Serving                // sockets begin to accept
	Listening              // every socket accepts: post-start hooks
	Stopping               // readyz is red, requests still come
	Stopped                // no request is left; actions run in reverse order
)

type action struct {
	name string
	run  func(context.Context) error
}

// On adds an action to a phase; a delegate's come first. Its context ends when
// the server begins to stop; in Stopping and Stopped it has a deadline instead.
func (s *GenericAPIServer) On(p Phase, name string, run func(context.Context) error) {
	s.actions[p] = append(s.actions[p], action{name, run})
}

// run goes through phases. At the start the first error ends it; at the stop
// every action gets its turn.
func (s *GenericAPIServer) run(ctx context.Context, phases ...Phase) (errs error) {
	for _, p := range phases {
		for _, a := range s.actionsOf(p) {
			if err := a.run(ctx); err != nil {
				errs = errors.Join(errs, fmt.Errorf("%s: %w", a.name, err))
				if p < Stopping {
					return errs
				}
			}
		}
	}
	return errs
}

func (s *GenericAPIServer) actionsOf(p Phase) (list []action) {
	for _, server := range slices.Backward(s.Delegation()) {
		list = append(list, server.actions[p]...)
	}
	if p == Stopped {
		slices.Reverse(list)
	}
	return list
}
