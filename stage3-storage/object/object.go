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

// FromTree makes an Object of a parsed JSON object. What is in the tree belongs
// to the Object from then on. The error names the field that has the wrong type.
func FromTree(tree map[string]any) (*Object, error) {
	o := &Object{Fields: maps.Clone(tree)}
	head := map[string]any{}
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		head[name] = tree[name]
		delete(o.Fields, name)
	}
	var typed struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   Meta   `json:"metadata"`
	}
	if err := decodeFirst(appendTree(nil, head), &typed); err != nil {
		return nil, err
	}
	o.APIVersion, o.Kind, o.Meta = typed.APIVersion, typed.Kind, typed.Metadata
	return o, nil
}

// Tree is the opposite of FromTree: the whole object as one tree. The values
// of Fields are shared with o.
func (o *Object) Tree() map[string]any {
	meta, err := json.Marshal(o.Meta)
	if err != nil {
		panic(fmt.Sprintf("object: metadata cannot be encoded: %v", err)) // as in appendJSON
	}
	tree := make(map[string]any, len(o.Fields)+3)
	maps.Copy(tree, o.Fields)
	tree["apiVersion"], tree["kind"] = o.APIVersion, o.Kind
	tree["metadata"], _ = Parse(meta) // which has just been written
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
