package routes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage1-main/process/logs"
	"example.com/kube-apiserver/stage1-main/server"
)

// healthPaths are three. livez says whether to restart the process, readyz
// whether to send it requests, healthz is 1.7's only one. The delegates'
// checks come last.
func healthPaths(s *server.GenericAPIServer) map[string]func() []server.HealthCheck {
	well := func() []server.HealthCheck {
		checks := []server.HealthCheck{{Name: "ping", Check: func() error { return nil }}}
		for _, each := range s.Delegation() {
			checks = append(checks, each.Health...)
		}
		return checks
	}
	running := context.Background()
	s.On(server.Preparing, "readyz", func(ctx context.Context) error { running = ctx; return nil })
	shutdown := server.HealthCheck{Name: "shutdown", Check: func() error {
		if running.Err() != nil {
			return errors.New("process is shutting down")
		}
		return nil
	}}
	ready := func() []server.HealthCheck { return append(well(), shutdown) }
	return map[string]func() []server.HealthCheck{"/healthz": well, "/livez": well, "/readyz": ready}
}

// serveHealth asks all checks but those that ?exclude= names. Anybody may ask,
// so why one failed stands only in the log, with -v=2.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/healthz/healthz.go handleRootHealthz
func serveHealth(name string, checks func() []server.HealthCheck) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		exclude := req.URL.Query()["exclude"]
		var lines strings.Builder
		failed := false
		for _, c := range checks() {
			if i := slices.Index(exclude, c.Name); i >= 0 {
				exclude = slices.DeleteFunc(exclude, func(name string) bool { return name == c.Name })
				fmt.Fprintf(&lines, "[+]%s excluded: ok\n", c.Name)
			} else if err := c.Check(); err != nil {
				failed = true
				logs.V(2).Infof("%s check %s failed: %v", name, c.Name, err)
				fmt.Fprintf(&lines, "[-]%s failed: reason withheld\n", c.Name)
			} else {
				fmt.Fprintf(&lines, "[+]%s ok\n", c.Name)
			}
		}
		if len(exclude) > 0 {
			fmt.Fprintf(&lines, "warn: some health checks cannot be excluded: no matches for %s\n", quoted(exclude))
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

// quoted is the list as clients of upstream know it: sorted, each name once.
func quoted(names []string) string {
	slices.Sort(names)
	var list []string
	for _, name := range slices.Compact(names) {
		list = append(list, fmt.Sprintf("%q", name))
	}
	return strings.Join(list, ",")
}

func serveOneCheck(prefix string, checks func() []server.HealthCheck) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		name := strings.TrimPrefix(req.URL.Path, prefix)
		list := checks()
		i := slices.IndexFunc(list, func(c server.HealthCheck) bool { return c.Name == name })
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
