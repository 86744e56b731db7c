package filters

import (
	"log"
	"net/http"
	"runtime/debug"

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
