package server

import (
	"slices"
	"sync"
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
