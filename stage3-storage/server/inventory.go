package server

import (
	"slices"
	"sync"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
)

// Inventory is the run-time catalog: all that a chain of servers has
// installed. Discovery, OpenAPI, informers and controllers are made from it and
// watch it, because it may change while the servers run. The zero value is empty.
type Inventory struct {
	mu      sync.Mutex // guards what follows
	groups  []GroupVersion
	changed chan struct{} // closed and replaced at each change; nil while nobody watches
}

// Add adds a group version, or replaces it.
func (i *Inventory) Add(g GroupVersion) {
	i.change(func() {
		if at := slices.IndexFunc(i.groups, g.same); at >= 0 {
			i.groups[at] = g
		} else {
			i.groups = append(i.groups, g)
		}
	})
}

// Remove takes a group version out, if it is there.
func (i *Inventory) Remove(g GroupVersion) {
	i.change(func() { i.groups = slices.DeleteFunc(slices.Clone(i.groups), g.same) })
}

// List returns the group versions in the order in which they came, which is
// the order of their priority.
func (i *Inventory) List() []GroupVersion {
	groups, _ := i.Watch()
	return groups
}

// Watch is List with a channel that is closed at the next change.
func (i *Inventory) Watch() ([]GroupVersion, <-chan struct{}) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.changed == nil {
		i.changed = make(chan struct{})
	}
	return slices.Clone(i.groups), i.changed
}

// Find returns the row of a resource.
func (i *Inventory) Find(group, resource string) (catalog.Resource, bool) {
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
func (i *Inventory) Supporting(verbs ...string) []catalog.Resource {
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

func (i *Inventory) change(f func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	f()
	if i.changed != nil {
		close(i.changed)
		i.changed = nil
	}
}

func (g GroupVersion) same(o GroupVersion) bool { return o.Group == g.Group && o.Version == g.Version }
