package groups

import (
	"context"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/server"
)

// Core finds what serves the core group, which stage 3 has installed: some of
// the named groups are about its objects.
type Core struct{ Installed *server.Inventory }

// Storage is what serves a resource, nil where nothing does.
func (c Core) Storage(resource string) rest.Storage {
	for _, g := range c.Installed.List() {
		for _, r := range g.Resources {
			if g.Group == "" && r.Name == resource && r.Subresource == "" {
				return r.Storage
			}
		}
	}
	return nil
}

// Get finds an object.
func (c Core) Get(ctx context.Context, resource, namespace, name string) (*object.Object, error) {
	getter, ok := c.Storage(resource).(rest.Getter)
	if !ok {
		return nil, fmt.Errorf("%s are not served", resource)
	}
	item, err := getter.Get(ctx, rest.Key{Namespace: namespace, Name: name}, rest.GetOptions{})
	if err != nil {
		return nil, err
	}
	return item.Object()
}
