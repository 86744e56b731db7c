package events

import (
	"context"
	"errors"
	"iter"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
	"example.com/kube-apiserver/stage5-serve/groups"
)

var row = catalog.Resource{Group: group, Version: "v1", Name: "events", Singular: "event", Kind: kind, Namespaced: true, ShortNames: []string{"ev"}, StoredUnder: "events"}

// Group is the row of the group. stored finds the storage of the core group's
// events, when the groups are installed. of is their schema, which describes
// the columns.
//
// Now: pkg/registry/events/rest/storage_events.go RESTStorageProvider
func Group(stored func() rest.Storage, of *schema.Schema) groups.Group {
	return groups.Group{
		Name: group, Version: "v1", Rows: []printers.Row{{Resource: row, Columns: columns(), Schema: of}},
		Others: func(known func(apiVersion, kind string) *schema.Schema, _ registry.RESTOptionsGetter) (map[string]rest.Storage, error) {
			store, ok := stored().(*registry.Store)
			if !ok {
				return nil, errors.New("the core group has no events")
			}
			return map[string]rest.Storage{"events": view{store, known(apiVersion, kind)}}, nil
		},
	}
}

// columns are the core group's, of the event as that group has it.
func columns() []printers.Column {
	list := kinds.EventColumns()
	for i := range list {
		cell := list[i].Cell
		list[i].Cell = func(o *object.Object) any { return cell(toCore(o)) }
	}
	return list
}

// view is the core group's storage with objects in our words. What it does not
// change, such as selectors, it has from that storage.
type view struct {
	*registry.Store
	schema *schema.Schema
}

// Kind is part of rest.Storage.
func (v view) Kind() (string, string) { return apiVersion, kind }

// Resource is part of rest.Storage.
func (v view) Resource() catalog.Resource { return row }

// Schema is the structure in our words.
func (v view) Schema() registry.Schema { return v.schema }

// Get is part of rest.Getter.
func (v view) Get(ctx context.Context, key rest.Key, opts rest.GetOptions) (*object.Encoded, error) {
	e, err := v.Store.Get(ctx, key, opts)
	if err != nil {
		return nil, err
	}
	return converted(e)
}

// List is part of rest.Lister.
func (v view) List(ctx context.Context, namespace string, opts rest.ListOptions) (rest.List, error) {
	list, err := v.Store.List(ctx, namespace, opts)
	if err != nil {
		return list, err
	}
	list.Items, err = convertedAll(list.Items)
	return list, err
}

// Create is part of rest.Creater.
func (v view) Create(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, error) {
	e, err := v.Store.Create(ctx, key, v.write(ctx, key, w))
	if err != nil {
		return nil, err
	}
	return converted(e)
}

// Update is part of rest.Updater.
func (v view) Update(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, bool, error) {
	e, created, err := v.Store.Update(ctx, key, v.write(ctx, key, w))
	if err != nil {
		return nil, false, err
	}
	e, err = converted(e)
	return e, created, err
}

// Delete is part of rest.Deleter.
func (v view) Delete(ctx context.Context, key rest.Key, opts rest.DeleteOptions) (*object.Encoded, bool, error) {
	e, gone, err := v.Store.Delete(ctx, key, opts)
	if err != nil {
		return nil, false, err
	}
	e, err = converted(e)
	return e, gone, err
}

// Watch is part of rest.Watcher.
func (v view) Watch(ctx context.Context, namespace string, opts rest.WatchOptions) (iter.Seq2[storage.Event, error], error) {
	events, err := v.Store.Watch(ctx, namespace, opts)
	if err != nil {
		return nil, err
	}
	return func(yield func(storage.Event, error) bool) {
		for ev, err := range events {
			if err == nil {
				ev, err = convertedEvent(ev)
			}
			if !yield(ev, err) || err != nil {
				return
			}
		}
	}, nil
}

// write lets the store see, instead of the object in our words, the one in its
// own: decoded and checked here, so that nothing is left to complain about.
func (v view) write(ctx context.Context, key rest.Key, w rest.Write) rest.Write {
	inner := w
	inner.Wanted = requests.Wanted(func(live *object.Encoded) (map[string]any, error) {
		before, err := converted(live)
		if err != nil {
			return nil, err
		}
		o, err := registry.Decode(ctx, w, before, v.schema, apiVersion, kind)
		if err != nil {
			return nil, err
		}
		if o.Meta.Namespace == "" {
			o.Meta.Namespace = key.Namespace
		}
		if live == nil {
			err = check(toCore(o))
		} else {
			err = checkUpdate(toCore(o), live)
		}
		return toCore(o).Tree(), err
	})
	return inner
}
