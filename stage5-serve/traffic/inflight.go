package traffic

import (
	"net/http"
	"slices"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// WithMaxInFlight answers 429 at once where too many reads, or too many
// writes, are being served; a limit of 0 is none. Nobody waits in a queue:
// clients come again. Administrators are always served, and with them the
// server's own client, whose work the others may be waiting for.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/filters/maxinflight.go WithMaxInFlightLimit
func WithMaxInFlight(reads, writes int, m *Metrics) func(http.Handler) http.Handler {
	limits := map[string]chan struct{}{}
	for kind, n := range map[string]int{readOnly: reads, mutating: writes} {
		if n > 0 {
			limits[kind] = make(chan struct{}, n)
		}
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			kind := kindOf(req)
			limit := limits[kind]
			if LongRunning(req) {
				next.ServeHTTP(w, req)
				return
			}
			select {
			case limit <- struct{}{}: // never, where limit is nil
				defer func() { <-limit }()
			default:
				if limit != nil && !slices.Contains(request.UserFrom(req.Context()).Groups, "system:masters") {
					m.dropped(kind)
					w.Header().Set("Retry-After", "1")
					http.Error(w, "Too many requests, please try again later.", http.StatusTooManyRequests)
					return
				}
			}
			defer m.inFlight(kind)()
			next.ServeHTTP(w, req)
		})
	}
}

// Kinds of requests, as labels of metrics say them.
const (
	readOnly = "readOnly"
	mutating = "mutating"
)

func kindOf(req *http.Request) string {
	switch request.InfoFrom(req.Context()).Verb {
	case "get", "list", "watch", "head", "options":
		return readOnly
	}
	return mutating
}
