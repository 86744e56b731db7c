package server

import (
	"errors"
	"slices"
	"sync"
)

// HealthCheck is one named thing that has to be well.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/healthz/healthz.go HealthzChecker
type HealthCheck struct {
	Name  string
	Check func() error
}

// HealthChecks are those of a server and of its delegates. They may be added
// until the server runs.
type HealthChecks struct {
	next *HealthChecks // the delegate's

	mu     sync.Mutex // guards what follows
	checks []HealthCheck
	down   bool
}

// Add adds checks.
func (h *HealthChecks) Add(checks ...HealthCheck) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.checks = append(h.checks, checks...)
}

// All lists the checks, the delegate's last.
func (h *HealthChecks) All() []HealthCheck {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.Clone(h.checks)
	if h.next != nil {
		list = append(list, h.next.All()...)
	}
	return list
}

// Ready fails from the moment on at which the server begins to stop.
func (h *HealthChecks) Ready() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.down {
		return errors.New("process is shutting down")
	}
	return nil
}

func (h *HealthChecks) shutDown() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.down = true
}
