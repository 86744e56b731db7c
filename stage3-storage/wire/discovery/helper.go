package discovery

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/server"
)

// Find returns the row of a resource.
func Find(i *server.Inventory, group, resource string) (catalog.Resource, bool) {
	for _, g := range i.List() {
		for _, r := range g.Resources {
			if g.Group == group && r.Name == resource && r.Subresource == "" {
				return r.Resource, true
			}
		}
	}
	return catalog.Resource{}, false
}

// Supporting returns the rows of all resources that have these verbs, each
// resource once, in the version that came first.
//
// Upstream: staging/src/k8s.io/client-go/discovery/helper.go SupportsAllVerbs
func Supporting(i *server.Inventory, verbs ...string) []catalog.Resource {
	var rows []catalog.Resource
	seen := map[string]bool{}
	for _, g := range i.List() {
		for _, r := range g.Resources {
			lacks := func(verb string) bool { return !slices.Contains(r.Verbs, verb) }
			if r.Subresource == "" && !seen[r.GroupResource()] && !slices.ContainsFunc(verbs, lacks) {
				seen[r.GroupResource()] = true
				rows = append(rows, r.Resource)
			}
		}
	}
	return rows
}
