package openapi

import (
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// Rows are made of what is installed.
func Rows(groups []server.GroupVersion, schemas func(apiVersion, kind string) registry.Schema) []Resource {
	kind := func(apiVersion, kind string) *schema.Schema {
		s, _ := schemas(apiVersion, kind).(*schema.Schema)
		return s
	}
	var rows []Resource
	for _, g := range groups {
		at := map[string]int{}
		for _, r := range g.Resources {
			if r.Subresource == "" {
				at[r.Name] = len(rows)
				rows = append(rows, Resource{
					Resource: r.Resource, Verbs: r.Verbs, Schema: kind(r.KindVersion, r.KindName), List: kind(r.KindVersion, r.KindName+"List"),
				})
			} else if i, ok := at[r.Name]; ok {
				rows[i].Subresources = append(rows[i].Subresources, subresource(r, kind(r.KindVersion, r.KindName)))
			}
		}
	}
	return rows
}

func subresource(r endpoints.APIResource, known *schema.Schema) Subresource {
	group, version := metadata.SplitVersion(r.KindVersion)
	return Subresource{Name: r.Subresource, Group: group, Version: version, Kind: r.KindName, Verbs: r.Verbs, Schema: known}
}
