package object

import (
	"encoding/json"
	"fmt"
	"maps"
)

// Object is an API object under work. It belongs to one goroutine. Numbers in
// Fields are json.Number, so no digit is lost on the way through the server.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructured.go Unstructured
type Object struct {
	APIVersion, Kind string
	Meta             Meta
	Fields           map[string]any // every other top-level field: spec, status, data, …
}

// FromTree makes an Object of a parsed JSON object. The tree belongs to the
// Object from then on. The error names the metadata field that has the wrong type.
func FromTree(tree map[string]any) (*Object, error) {
	o := &Object{Fields: map[string]any{}}
	for key, v := range tree {
		var err error
		switch key {
		case "apiVersion":
			o.APIVersion, err = typed[string](v, key)
		case "kind":
			o.Kind, err = typed[string](v, key)
		case "metadata":
			var m map[string]any
			if m, err = typed[map[string]any](v, key); err == nil {
				o.Meta, err = metaFromTree(m)
			}
		default:
			o.Fields[key] = v
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Tree is the opposite of FromTree: the whole object as one tree. The values
// of Fields are shared with o.
func (o *Object) Tree() map[string]any {
	tree := make(map[string]any, len(o.Fields)+3)
	maps.Copy(tree, o.Fields)
	tree["apiVersion"], tree["kind"] = o.APIVersion, o.Kind
	tree["metadata"] = o.Meta.tree()
	return tree
}

// DeepCopy returns an object that shares nothing changeable with o.
func (o *Object) DeepCopy() *Object {
	c := *o
	c.Meta = o.Meta.deepCopy()
	c.Fields = CopyTree(o.Fields).(map[string]any)
	return &c
}

// CopyTree copies a parsed JSON value.
func CopyTree(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := make(map[string]any, len(v))
		for k, e := range v {
			c[k] = CopyTree(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = CopyTree(e)
		}
		return c
	}
	return v // strings, numbers, booleans and null do not change
}

func typed[T any](v any, field string) (T, error) {
	t, ok := v.(T)
	if !ok && v != nil {
		return t, fmt.Errorf("%s: expected %s, got %s", field, typeName(any(t)), typeName(v))
	}
	return t, nil
}

func typeName(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case map[string]any:
		return "map"
	case []any:
		return "list"
	case json.Number, int64, *int64:
		return "integer"
	}
	return fmt.Sprintf("%T", v)
}
