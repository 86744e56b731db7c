package endpoints

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

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
// this is where a URL gets its handler, the map only names storages. It may be
// called while the router serves, and again for the same root.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/groupversion.go InstallREST
func (g *APIGroupVersion) InstallREST(r *Router) ([]APIResource, error) {
	var installed []APIResource
	routes := r.newRoutes()
	byPath := map[string]rest.Storage{}
	for path, storage := range g.Storage {
		byPath[strings.ToLower(path)] = storage
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		storage := byPath[path]
		resource, subresource, _ := strings.Cut(path, "/")
		row := storage.Resource()
		if row.Name != resource {
			return nil, fmt.Errorf("the storage under %q serves %q: the map has it under the wrong key", path, row.Name)
		}
		scope := &Scope{Config: g.Config, Resource: row, Subresource: subresource, Storage: storage}
		api := APIResource{Resource: row, Subresource: subresource, Storage: storage}
		api.KindVersion, api.KindName = storage.Kind()
		for _, verb := range g.Config.Verbs {
			//step:3.2 a route for each verb that the storage is able to serve
			if !verb.Able(storage) {
				continue
			}
			if verb.Name != "" {
				api.Verbs = append(api.Verbs, verb.Name)
			}
			for _, at := range paths(g.Root, row, subresource, verb) {
				routes.handle(verb.Method, at, scope.ServeVerb(verb))
			}
			//step:end
		}
		slices.Sort(api.Verbs)
		installed = append(installed, api)
	}
	r.set(g.Root, routes)
	return installed, nil
}

// paths are where a verb of a resource is served. The router wants one name
// for what stands in the same place, so a namespace is :namespace everywhere.
func paths(root string, row catalog.Resource, subresource string, v Verb) []string {
	if v.Name == "watch" { // which shares the paths of list, and has these from the time before ?watch
		root += "/watch"
	}
	base := root + "/" + row.Name
	if row.Namespaced {
		base = root + "/namespaces/:namespace/" + row.Name
	}
	item := base + "/:name"
	if row.Name == "namespaces" && row.Group == "" {
		item = base + "/:namespace"
	}
	if subresource != "" { // also for create: a binding is posted to its pod
		at := item + "/" + subresource
		if v.On == Below {
			return []string{at, at + "/*path"}
		}
		return []string{at}
	}
	var at []string
	if v.On == Item || v.Name == "watch" {
		at = append(at, item)
	}
	if v.On == Collection {
		at = append(at, base)
	}
	if row.Namespaced && (v.Name == "list" || v.Name == "watch") {
		at = append(at, root+"/"+row.Name) // all namespaces
	}
	return at
}
