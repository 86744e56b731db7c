package endpoints

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"github.com/julienschmidt/httprouter"
)

// Router finds the handler of a path. Fill it before serving: it has no lock.
type Router struct {
	routes  *httprouter.Router
	formats []Format
	count   int
}

// NewRouter returns a router without routes. formats are for the answer to a
// method that a path does not have.
func NewRouter(formats []Format) *Router {
	routes := &httprouter.Router{HandleMethodNotAllowed: true} // not New: that one redirects as well
	routes.MethodNotAllowed = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Del("Allow") // the router's; upstream has none
		WriteStatus(formats, w, req, noSuchMethod())
	})
	return &Router{routes: routes, formats: formats}
}

func noSuchMethod() *status.Status {
	return status.New(http.StatusMethodNotAllowed, "MethodNotAllowed", "the server does not allow this method on the requested resource", &status.Details{})
}

// Routes says how many method and path pairs there are.
func (r *Router) Routes() int { return r.count }

// Mount puts the router in front of next, which gets what no route is for. A
// slash at the end of a path means nothing. /version is next's, but may be
// asked for in the ways of the API only.
func (r *Router) Mount(next http.Handler) http.Handler {
	r.routes.HandlerFunc(http.MethodGet, "/version", func(w http.ResponseWriter, req *http.Request) {
		if _, err := Negotiate(&Config{Formats: r.formats[:1]}, req, nil); err != nil {
			WriteStatus(r.formats, w, req, status.From(err))
			return
		}
		next.ServeHTTP(w, req)
	})
	r.routes.NotFound = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		trimmed := strings.TrimSuffix(req.URL.Path, "/")
		if found, params, _ := r.routes.Lookup(req.Method, trimmed); found != nil && trimmed != req.URL.Path {
			clean := *req.URL
			clean.Path = trimmed
			again := *req
			again.URL = &clean
			found(w, &again, params)
			return
		}
		next.ServeHTTP(w, req)
	})
	return r.routes
}

// APIGroupVersion is a part of the API with its map of storages.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/groupversion.go APIGroupVersion
type APIGroupVersion struct {
	Root    string                  // "/api/v1", "/apis/apps/v1"
	Storage map[string]rest.Storage // "pods", "pods/status", …
	Config  *Config
}

// APIResource is an installed path with what discovery and OpenAPI say of it.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go APIResource
type APIResource struct {
	catalog.Resource
	Subresource string
	KindVersion string // apiVersion of the objects of this path
	KindName    string
	Verbs       []string
	Storage     rest.Storage
}

// InstallREST makes a route for every verb that a storage is able to serve:
// this is where a URL gets its handler, the map only names storages.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/groupversion.go InstallREST
func (g *APIGroupVersion) InstallREST(r *Router) ([]APIResource, error) {
	var installed []APIResource
	for _, path := range slices.Sorted(maps.Keys(g.Storage)) {
		storage := g.Storage[path]
		resource, subresource, _ := strings.Cut(strings.ToLower(path), "/")
		row := storage.Resource()
		if row.Name != resource {
			return nil, fmt.Errorf("the storage under %q serves %q: the map has it under the wrong key", path, row.Name)
		}
		scope := &Scope{Config: g.Config, Resource: row, Subresource: subresource, Storage: storage}
		api := APIResource{Resource: row, Subresource: subresource, Storage: storage}
		api.KindVersion, api.KindName = storage.Kind()
		for _, verb := range g.Config.Verbs {
			if !verb.Able(storage) {
				continue
			}
			api.Verbs = append(api.Verbs, verb.Name)
			for _, at := range paths(g.Root, row, subresource, verb) {
				r.handle(verb.Method, at, scope.ServeVerb(verb))
			}
		}
		slices.Sort(api.Verbs)
		installed = append(installed, api)
	}
	return installed, nil
}

// handle adds a route. Watch shares its method and path with list, which finds it.
func (r *Router) handle(method, path string, h http.Handler) {
	if found, _, _ := r.routes.Lookup(method, path); found != nil {
		return
	}
	r.routes.Handler(method, path, h)
	r.count++
}

// paths are where a verb of a resource is served. The router wants one name
// for what stands in the same place, so a namespace is :namespace everywhere.
func paths(root string, row catalog.Resource, subresource string, v Verb) []string {
	base := root + "/" + row.Name
	if row.Namespaced {
		base = root + "/namespaces/:namespace/" + row.Name
	}
	item := base + "/:name"
	if row.Name == "namespaces" && row.Group == "" {
		item = base + "/:namespace"
	}
	if subresource != "" {
		return []string{item + "/" + subresource} // also for create: a binding is posted to its pod
	}
	if v.On == Item {
		return []string{item}
	}
	if row.Namespaced && (v.Name == "list" || v.Name == "watch") {
		return []string{base, root + "/" + row.Name} // one namespace, and all of them
	}
	return []string{base}
}
