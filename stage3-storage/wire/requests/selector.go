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
func selectorOf(labels, fields, named string, of registry.Selectable) (rest.Selector, error) {
	byLabel, err := selector.ParseLabels(labels)
	if err != nil {
		return rest.Selector{}, status.BadRequest("%v", err)
	}
	byField, err := selector.ParseFields(fields)
	if err != nil {
		return rest.Selector{}, status.BadRequest("%v", err)
	}
	for _, r := range byField {
		if _, ok := of.SelectableField(&object.Object{}, r.Field); !ok {
			return rest.Selector{}, of.UnknownField(r.Field)
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
				value, _ := of.SelectableField(obj, field)
				return value
			})
		})
	}}, nil
}
