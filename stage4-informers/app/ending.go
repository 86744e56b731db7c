package app

import (
	"net/http"

	"example.com/kube-apiserver/stage1-main/process/drain"
	"example.com/kube-apiserver/stage3-storage/endpoints"
)

// untilEnding lets requests of a verb end when the server stops, after those
// that end by themselves: a watcher sees what the last writes have changed.
func untilEnding(v endpoints.Verb) endpoints.Verb {
	serve := v.Serve
	v.Serve = func(s *endpoints.Scope, w http.ResponseWriter, req *http.Request) error {
		ctx, done := drain.UntilEnding(req.Context())
		defer done()
		return serve(s, w, req.WithContext(ctx))
	}
	return v
}
