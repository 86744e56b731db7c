package reviews

import (
	"context"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// review is a storage that can do nothing but answer.
type review struct {
	row    catalog.Resource
	schema *schema.Schema
	answer func(ctx context.Context, o *object.Object) error // fills in the status
}

// Kind is part of rest.Storage.
func (r review) Kind() (apiVersion, kind string) { return r.row.APIVersion(), r.row.Kind }

// Resource is part of rest.Storage.
func (r review) Resource() catalog.Resource { return r.row }

// Create is part of rest.Creater. A dry run is answered as any other.
func (r review) Create(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, error) {
	var known registry.Schema
	if r.schema != nil {
		known = r.schema
	}
	o, err := registry.Decode(ctx, w, nil, known, r.row.APIVersion(), r.row.Kind)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Meta.Namespace == "" || !r.row.Namespaced:
		o.Meta.Namespace = key.Namespace
	case o.Meta.Namespace != key.Namespace:
		return nil, status.BadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if err := r.answer(ctx, o); err != nil {
		return nil, err
	}
	return object.Unstored(o), nil
}

func row(group, name, singular, kind string, namespaced bool) catalog.Resource {
	return catalog.Resource{Group: group, Version: "v1", Name: name, Singular: singular, Kind: kind, Namespaced: namespaced}
}
