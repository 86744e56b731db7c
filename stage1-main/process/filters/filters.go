package filters

import (
	"fmt"
	"log"
	"net/http"
	"runtime/debug"
	"slices"

	"example.com/kube-apiserver/stage1-main/server"
)

// PanicRecovery keeps a panic in one request from ending the process, which in
// 1.7 it did. The client gets a 500, if its answer has not begun.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/filters/wrap.go WithPanicRecovery
var PanicRecovery = server.Filter{Name: "panic-recovery", Wrap: func(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		defer func() {
			switch err := recover(); err {
			case nil:
			case http.ErrAbortHandler:
				panic(err) // how a handler cuts a connection on purpose
			default:
				log.Printf("panic while serving %s %s: %v\n%s", req.Method, req.URL.Path, err, debug.Stack())
				http.Error(w, "This request caused apiserver to panic. Look in log for details.", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, req)
	})
}}

// After returns a chain with more filters behind the named one, which has to be
// there: so each stage puts its own between those of the stages before it.
func After(c server.Chain, name string, more ...server.Filter) server.Chain {
	i := slices.IndexFunc(c, func(f server.Filter) bool { return f.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("filters: the chain %s has no filter %q", c, name))
	}
	return slices.Insert(slices.Clone(c), i+1, more...)
}
