package traffic

import (
	"net/http"
	"net/http/pprof"
)

// InstallProfiling adds the paths that tell where time and memory go.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/routes/profiling.go Install
func InstallProfiling(handle func(path string, h http.Handler)) {
	for path, serve := range map[string]http.HandlerFunc{
		"": pprof.Index, "cmdline": pprof.Cmdline, "profile": pprof.Profile, "symbol": pprof.Symbol, "trace": pprof.Trace,
	} {
		handle("/debug/pprof/"+path, serve)
	}
}
