package app

import (
	"strings"

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
	info := openapi.Info{Version: "v1.37.0", Paths: []string{"version"}, Status: kind("v1", "Status"), DeleteOptions: kind("v1", "DeleteOptions")}
	handler := openapi.NewHandler(info, func() ([]openapi.Resource, <-chan struct{}) {
		groups, changed := s.Installed.Watch()
		return describe(groups, s.Endpoints), changed
	})
	for _, path := range []string{"/openapi/v2", "/openapi/v3", "/openapi/v3/"} {
		s.Mux.Handle(path, handler)
	}
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
