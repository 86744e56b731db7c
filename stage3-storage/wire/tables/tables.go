package tables

import (
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/patch"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// Patches are the patch types. A type is a row.
var Patches = []negotiation.Patch{
	{MediaType: "application/json-patch+json", Apply: apply(patch.JSON), Unfit: patch.Unfit},
	{MediaType: "application/merge-patch+json", Apply: apply(patch.Merge), Unfit: patch.Unfit},
	{MediaType: "application/strategic-merge-patch+json", Apply: apply(patch.Strategic), Typed: true, Unfit: patch.UnfitStrategic},
}

// apply gives a patch function the schema of the kind, if one is known.
func apply(f func(map[string]any, []byte, patch.Schema) (map[string]any, error)) func(map[string]any, []byte, any) (map[string]any, error) {
	return func(live map[string]any, body []byte, known any) (map[string]any, error) {
		s, _ := known.(*schema.Schema)
		return f(live, body, mergeKeys{s})
	}
}

// mergeKeys shows a schema as a patch wants to see it.
type mergeKeys struct{ s *schema.Schema }

func (m mergeKeys) Field(name string) patch.Schema { return mergeKeys{m.s.Field(name)} }
func (m mergeKeys) Item() patch.Schema             { return mergeKeys{m.s.Item()} }
func (m mergeKeys) Merge() (key, strategy string)  { return m.s.Merge() }

// SchemaOf finds the schemas of a table of kinds for the endpoints.
func SchemaOf(known *builtin.Kinds) func(apiVersion, kind string) registry.Schema {
	return func(apiVersion, kind string) registry.Schema {
		if s, ok := known.Kind(apiVersion, kind); ok {
			return s
		}
		return nil
	}
}
