package drain

import (
	"context"
	"net/http"
	"sync"

	"example.com/kube-apiserver/stage1-main/server"
)

// Attach counts the requests of h, which s is about to serve. It is the Drain
// of a server.Config.
func Attach(s *server.GenericAPIServer, h *http.Server) {
	r := &requests{}
	r.ending, r.end = context.WithCancel(context.Background())
	h.Handler = r.count(h.Handler)
	h.RegisterOnShutdown(func() {
		<-r.brief.none()
		r.end()
	})
	s.On(server.Stopped, "connections that were taken over", r.wait)
}

type endingKey struct{}

// UntilEnding is a context that ends with its parent, or when the server stops
// and has answered all requests that end by themselves. One that would go on
// for ever, such as a watch, goes by it, and is not waited for with the others.
// done has to be called.
func UntilEnding(parent context.Context) (ctx context.Context, done context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	ending, ok := parent.Value(endingKey{}).(func() context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(ending(), cancel)
	return ctx, func() { stop(); cancel() }
}

// requests are those in flight.
type requests struct {
	ending context.Context // ends: those that would go on for ever are to end
	end    context.CancelFunc

	all   counter
	brief counter // those that end by themselves
}

func (r *requests) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.all.add(1)
		defer r.all.add(-1)
		r.brief.add(1)
		leave := sync.OnceFunc(func() { r.brief.add(-1) })
		defer leave()
		ending := func() context.Context { leave(); return r.ending }
		next.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), endingKey{}, ending)))
	})
}

// wait is called when http.Server has waited for all requests that it knows.
// What comes to an end after this, such as the audit log, has heard from all.
func (r *requests) wait(ctx context.Context) error {
	defer r.end() // also for those who were waited for in vain
	select {
	case <-r.all.none():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// counter counts what goes on, and tells one who waits when there is none.
type counter struct {
	mu   sync.Mutex // guards what follows
	n    int
	zero chan struct{} // nil before somebody waits
}

func (c *counter) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += n
	c.tell()
}

// none is closed once nothing goes on. A request that comes after that, on a
// connection which has not heard of the stop, is waited for by http.Server.
func (c *counter) none() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	none := make(chan struct{})
	c.zero = none
	c.tell()
	return none
}

func (c *counter) tell() {
	if c.n == 0 && c.zero != nil {
		close(c.zero)
		c.zero = nil
	}
}
