package endpoints

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"github.com/julienschmidt/httprouter"
)

// Router finds the handler of a path: by its root, such as /api/v1, one of
// several trees of routes, and in the tree the route. Roots come and go while
// the router serves, so that a kind added at run time needs no restart.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/handler.go APIServerHandler
type Router struct {
	config *Config
	next   http.Handler // gets what no route is for

	mu    sync.Mutex // one change at a time
	roots atomic.Pointer[map[string]*routes]
}

// routes is what is under one root. It does not change once it is in a Router.
type routes struct {
	*httprouter.Router
	count int
}

// NewRouter returns a router without routes.
func NewRouter(c *Config) *Router {
	r := &Router{config: c, next: http.NotFoundHandler()}
	r.roots.Store(&map[string]*routes{})
	return r
}

// Mount puts the router in front of next, which gets what no route is for.
// Call it before serving.
func (r *Router) Mount(next http.Handler) http.Handler {
	r.next = next
	if r.config.Others != nil {
		r.next = r.config.Others(r.config, next)
	}
	return r
}

// Routes says how many method and path pairs there are.
func (r *Router) Routes() int {
	n := 0
	for _, under := range *r.roots.Load() {
		n += under.count
	}
	return n
}

// Remove takes away everything under a root.
func (r *Router) Remove(root string) { r.set(root, nil) }

func (r *Router) set(root string, under *routes) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := maps.Clone(*r.roots.Load())
	if under == nil {
		delete(next, root)
	} else {
		next[root] = under
	}
	r.roots.Store(&next)
}

func (r *Router) newRoutes() *routes {
	tree := &httprouter.Router{HandleMethodNotAllowed: true} // not New: that one redirects as well
	tree.NotFound = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { r.next.ServeHTTP(w, req) })
	tree.MethodNotAllowed = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Del("Allow") // upstream's error handler loses it, and no client reads it
		r.config.Encoder.Error(w, req, NoSuchMethod())
	})
	return &routes{Router: tree}
}

// NoSuchMethod is the answer to a method that a path does not have.
func NoSuchMethod() *status.Status {
	return status.New(http.StatusMethodNotAllowed, "MethodNotAllowed", "the server does not allow this method on the requested resource", &status.Details{})
}

// handle adds a route.
func (under *routes) handle(method, path string, h http.Handler) {
	under.Handler(method, path, h)
	under.count++
}

// PathBelow is what follows the path of a resource served on what is Below.
func PathBelow(req *http.Request) string {
	return httprouter.ParamsFromContext(req.Context()).ByName("path")
}

// ServeHTTP overlooks a slash at the end of a path, as upstream does, unless
// the path belongs to a proxy, which passes it on.
func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	under := (*r.roots.Load())[rootOf(req.URL.Path)]
	if under == nil {
		r.next.ServeHTTP(w, req)
		return
	}
	if path := req.URL.Path; strings.HasSuffix(path, "/") {
		if found, _, _ := under.Lookup(req.Method, path); found == nil {
			trimmed := *req
			trimmed.URL = new(url.URL)
			*trimmed.URL = *req.URL
			trimmed.URL.Path = strings.TrimRight(path, "/")
			req = &trimmed
		}
	}
	under.Router.ServeHTTP(w, req)
}

// rootOf is the part of a path that a group version is installed under:
// /api/VERSION or /apis/GROUP/VERSION.
func rootOf(path string) string {
	segments := 2
	if strings.HasPrefix(path, "/apis/") {
		segments = 3
	}
	for i := 1; i < len(path); i++ {
		if path[i] != '/' {
			continue
		}
		if segments--; segments == 0 {
			return path[:i]
		}
	}
	return strings.TrimRight(path, "/")
}
