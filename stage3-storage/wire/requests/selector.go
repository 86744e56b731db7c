package requests

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/selector"
)

// selectorOf makes a selector of the two parameters that select objects. named
// is the name that the path has, "" where it has none: the fields may ask for no
// other one.
func selectorOf(labels, fields, named string, of selectable) (rest.Selector, error) {
	byLabel, err := selector.ParseLabels(labels)
	if err != nil {
		return rest.Selector{}, status.BadRequest("%v", err)
	}
	byField, err := selector.ParseFields(fields)
	if err != nil {
		return rest.Selector{}, status.BadRequest("%v", err)
	}
	for _, r := range byField {
		if _, ok := of.field(&object.Object{}, r.Field); !ok {
			return rest.Selector{}, of.unknown(r.Field)
		}
	}
	if named != "" {
		itself := selector.FieldRequirement{Field: "metadata.name", Op: "=", Value: named}
		if len(byField) == 0 {
			byField = selector.Fields{itself}
		}
		if !slices.Contains(byField, itself) {
			return rest.Selector{}, status.BadRequest("fieldSelector metadata.name doesn't match requested name")
		}
	}
	if len(byLabel)+len(byField) == 0 {
		return rest.Selector{}, nil
	}
	name, _ := byField.Exact("metadata.name")
	return rest.Selector{Name: name, Matches: func(e *object.Encoded) bool {
		return byLabel.Matches(e.Labels()) && byField.Matches(func(field string) string {
			return e.Field(field, func(obj *object.Object) string {
				value, _ := of.field(obj, field)
				return value
			})
		})
	}}, nil
}

// Selectable is a storage that says itself which fields a field selector may ask for.
type Selectable interface {
	SelectableField(obj *object.Object, path string) (value string, ok bool)
}

// selectable are the fields that a field selector may ask for.
type selectable struct {
	field func(obj *object.Object, path string) (value string, ok bool)
	more  bool // than the two of metadata
}

// selectableOf is what a storage offers; ok is false where that is nothing.
func selectableOf(s rest.Storage) (of selectable, ok bool) {
	if own, ok := s.(Selectable); ok {
		return selectable{field: own.SelectableField}, true
	}
	store, ok := s.(interface{ Strategy() registry.Strategy })
	if !ok {
		return of, false
	}
	own, namespaced := store.Strategy().Field, s.Resource().Namespaced
	of.field = func(obj *object.Object, path string) (string, bool) {
		switch {
		case path == "metadata.name":
			return obj.Meta.Name, true
		case path == "metadata.namespace":
			return obj.Meta.Namespace, namespaced || own == nil
		case own == nil:
			return "", false
		}
		return own(obj, path)
	}
	of.more = own != nil
	return of, true
}

func (of selectable) unknown(path string) error {
	if of.more {
		return status.BadRequest("field label not supported: %s", path)
	}
	return status.BadRequest("%q is not a known field selector: only %q, %q", path, "metadata.name", "metadata.namespace")
}
