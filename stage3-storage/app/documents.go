package app

import (
	"net/http"
	"strings"
	"sync"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/discovery"
	"example.com/kube-apiserver/stage3-storage/wire/openapi"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// InstallDocuments adds what a server says of itself: discovery and OpenAPI.
func InstallDocuments(s *server.GenericAPIServer) {
	discovery.Install(s.Mux, s.Endpoints.Formats, s.Installed)
	handler := &following{inventory: s.Installed, tables: s.Endpoints, Handler: openapi.NewHandler(openapi.Info{Version: "v1.37.0", Paths: []string{"/version", "/healthz", "/livez", "/readyz"}, Status: kind("v1", "Status"), DeleteOptions: kind("v1", "DeleteOptions")})}
	s.Mux.Handle("/openapi/v3", handler)
	s.Mux.Handle("/openapi/v3/", handler)
}

// following is OpenAPI of an inventory: the first request after a change makes
// the description anew.
type following struct {
	*openapi.Handler
	inventory *server.Inventory
	tables    *endpoints.Config

	mu      sync.Mutex
	changed <-chan struct{} // of what is described; nil: nothing is yet
}

func (f *following) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	f.follow()
	f.Handler.ServeHTTP(w, req)
}

func (f *following) follow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.changed: // never, where it is nil
	default:
		if f.changed != nil {
			return
		}
	}
	var groups []server.GroupVersion
	groups, f.changed = f.inventory.Watch()
	f.Replace(describe(groups, f.tables))
}

func kind(apiVersion, kind string) *schema.Schema {
	s, _ := builtin.Kind(apiVersion, kind)
	return s // nil: a kind of which nothing is known
}

// describe makes OpenAPI's rows of what is installed.
func describe(groups []server.GroupVersion, c *endpoints.Config) []openapi.Resource {
	kind := func(apiVersion, kind string) *schema.Schema {
		s, _ := c.Schema(apiVersion, kind).(*schema.Schema)
		return s
	}
	var rows []openapi.Resource
	for _, g := range groups {
		at := map[string]int{}
		for _, r := range g.Resources {
			if r.Subresource == "" {
				at[r.Name] = len(rows)
				rows = append(rows, openapi.Resource{
					Resource: r.Resource, Verbs: r.Verbs, Schema: kind(r.KindVersion, r.KindName), List: kind(r.KindVersion, r.KindName+"List"),
				})
			} else if i, ok := at[r.Name]; ok {
				rows[i].Subresources = append(rows[i].Subresources, subresource(r, kind(r.KindVersion, r.KindName)))
			}
		}
	}
	return rows
}

func subresource(r endpoints.APIResource, known *schema.Schema) openapi.Subresource {
	group, version, named := strings.Cut(r.KindVersion, "/")
	if !named {
		group, version = "", r.KindVersion
	}
	return openapi.Subresource{Name: r.Subresource, Group: group, Version: version, Kind: r.KindName, Verbs: r.Verbs, Schema: known}
}
