package server

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// HealthCheck is one named thing that has to be well.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/healthz/healthz.go HealthzChecker
type HealthCheck struct {
	Name  string
	Check func() error
}

// HealthChecks are what /healthz, /livez and /readyz ask. Checks may be added
// until the server runs.
type HealthChecks struct {
	next *HealthChecks // the delegate's

	mu     sync.Mutex // guards what follows
	checks []HealthCheck
	down   bool
}

// Add adds checks to /healthz and /readyz.
func (h *HealthChecks) Add(checks ...HealthCheck) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.checks = append(h.checks, checks...)
}

func (h *HealthChecks) all() []HealthCheck {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.Clone(h.checks)
	if h.next != nil {
		list = append(list, h.next.all()...)
	}
	return list
}

func (h *HealthChecks) shutDown() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.down = true
}

var ping = HealthCheck{"ping", func() error { return nil }}

func (h *HealthChecks) shutdown() HealthCheck {
	return HealthCheck{"shutdown", func() error {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.down {
			return errors.New("process is shutting down")
		}
		return nil
	}}
}

// install adds the three paths. livez says whether to restart the process,
// readyz whether to send it requests, healthz is 1.7's only one.
func (h *HealthChecks) install(m *PathRecorderMux) {
	for path, checks := range map[string]func() []HealthCheck{
		"/healthz": func() []HealthCheck { return append([]HealthCheck{ping}, h.all()...) },
		"/livez":   func() []HealthCheck { return append([]HealthCheck{ping}, h.all()...) },
		"/readyz":  func() []HealthCheck { return append(append([]HealthCheck{ping}, h.all()...), h.shutdown()) },
	} {
		m.Handle(path, serveHealth(path[1:], checks))
		m.UnlistedHandle(path+"/", serveOneCheck(path+"/", checks))
	}
}

func serveHealth(name string, checks func() []HealthCheck) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		exclude := req.URL.Query()["exclude"]
		var lines strings.Builder
		failed := false
		for _, c := range checks() {
			switch err := c.Check(); {
			case slices.Contains(exclude, c.Name):
				fmt.Fprintf(&lines, "[+]%s excluded: ok\n", c.Name)
			case err != nil:
				failed = true
				fmt.Fprintf(&lines, "[-]%s failed: reason withheld\n", c.Name)
			default:
				fmt.Fprintf(&lines, "[+]%s ok\n", c.Name)
			}
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case failed:
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprintf(w, "%s%s check failed\n", lines.String(), name)
		case req.URL.Query().Has("verbose"):
			fmt.Fprintf(w, "%s%s check passed\n", lines.String(), name)
		default:
			fmt.Fprint(w, "ok")
		}
	})
}

func serveOneCheck(prefix string, checks func() []HealthCheck) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		name := strings.TrimPrefix(req.URL.Path, prefix)
		list := checks()
		i := slices.IndexFunc(list, func(c HealthCheck) bool { return c.Name == name })
		if i < 0 {
			http.NotFound(w, req)
			return
		}
		if err := list[i].Check(); err != nil {
			http.Error(w, "internal server error: "+err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, "ok")
	})
}
