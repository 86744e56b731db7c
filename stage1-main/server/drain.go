package server

import (
	"context"
	"net/http"
	"sync"
)

// requests counts those in flight that end by themselves. When the server
// stops it lets these finish and only then tells the others, such as watches,
// to end: a watcher sees what the last writes have changed.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/filters/waitgroup.go WithWaitGroup
type requests struct {
	ending chan struct{} // closed: those that would go on for ever are to end

	mu       sync.Mutex // guards what follows
	n        int
	draining bool
	none     chan struct{} // closed when n has become 0 while draining
}

type inFlight struct {
	ending chan struct{}
	leave  func() // counts the request no longer; may be called again
}

type inFlightKey struct{}

func (r *requests) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.add(1)
		leave := sync.OnceFunc(func() { r.add(-1) })
		defer leave()
		next.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), inFlightKey{}, inFlight{r.ending, leave})))
	})
}

func (r *requests) add(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n += n
	r.check()
}

// check closes none, once. A request that comes after that, on a connection
// which has not heard of the stop, is waited for by http.Server all the same.
func (r *requests) check() {
	if r.draining && r.n <= 0 {
		r.draining = false
		close(r.none)
	}
}

// drain waits for the requests that end by themselves, or for ctx, and then
// lets the others end.
func (r *requests) drain(ctx context.Context) {
	r.mu.Lock()
	r.draining = true
	r.check()
	r.mu.Unlock()
	select {
	case <-r.none:
	case <-ctx.Done():
	}
	close(r.ending)
}

// Ending is closed when the server has drained the requests that end by
// themselves. A request that would go on for ever, such as a watch, asks for
// it: it is not waited for then, and ends itself when it hears.
func Ending(ctx context.Context) <-chan struct{} {
	f, ok := ctx.Value(inFlightKey{}).(inFlight)
	if !ok {
		return nil
	}
	f.leave()
	return f.ending
}
