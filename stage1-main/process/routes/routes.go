package routes

import (
	"encoding/json"
	"net/http"
	"slices"

	"example.com/kube-apiserver/stage1-main/process/version"
	"example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage1-main/startup"
)

// Install adds the paths to a server; below those of its health there is one
// for every check.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config.go installAPI
func Install(s *server.GenericAPIServer) {
	health := healthPaths(s)
	for path, checks := range health {
		s.Mux.Handle(path, serveHealth(path[1:], checks))
		s.Mux.Handle(path+"/", server.Unlisted{Handler: serveOneCheck(path+"/", checks)})
	}
	s.Mux.Handle("/version", writeJSON(func() any { return version.Get() }))
	if s.Startup != nil {
		s.Mux.Handle("/debug/startup", startupSteps(s.Startup))
	}
	s.Mux.Handle("/", server.Unlisted{Handler: writeJSON(func() any { return map[string]any{"paths": index(s, health)} })})
}

// index lists the paths of a server and its delegates, and those of single health checks.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/routes/index.go ListedPathProvider
func index(s *server.GenericAPIServer, health map[string]func() []server.HealthCheck) (paths []string) {
	for _, each := range s.Delegation() {
		paths = append(paths, each.Mux.ListedPaths()...)
	}
	for path, checks := range health {
		for _, c := range checks() {
			paths = append(paths, path+"/"+c.Name)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func startupSteps(log *startup.Log) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(log.Steps()) // a client that has gone needs no answer
	})
}

func writeJSON(v func() any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.Encode(v()) // a client that has gone needs no answer
	})
}
