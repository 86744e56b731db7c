package openapi

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// node is a part of a document.
type node = map[string]any

// components collects the structures that a document refers to, by name.
type components map[string]node

// ref returns a reference to a named structure and makes sure that it is in
// the document.
func (c components) ref(s *schema.Schema) node {
	if _, there := c[s.Name]; !there {
		c[s.Name] = node{} // seen: a structure may refer to itself
		maps.Copy(c[s.Name], c.structure(s))
		if s.Doc != "" {
			c[s.Name]["description"] = s.Doc
		}
	}
	return node{"$ref": "#/components/schemas/" + s.Name}
}

// kind puts in the structure of a kind, under its name.
func (c components) kind(s *schema.Schema, group, version, kind string) node {
	if s == nil || s.Name == "" {
		return node{"type": "object"}
	}
	ref := c.ref(s)
	c[s.Name]["x-kubernetes-group-version-kind"] = []node{gvk(group, version, kind)}
	return ref
}

func gvk(group, version, kind string) node {
	return node{"group": group, "version": version, "kind": kind}
}

// place describes what stands at one place of an object: by reference where
// the structure has a name. What is said about the place itself stands beside
// allOf, as nothing may stand beside $ref.
func (c components) place(s *schema.Schema) node {
	n := node{}
	if s.Name != "" {
		n["allOf"] = []node{c.ref(s)}
		if s.Type == schema.Object && !s.Nullable {
			n["default"] = node{}
		}
	} else {
		n = c.structure(s)
	}
	if text := s.Description + enumText(s.Enum); text != "" {
		n["description"] = text
	}
	if s.Enum != nil {
		n["enum"] = s.Enum
	}
	if s.Default != nil {
		n["default"] = s.Default
	}
	set(n, "x-kubernetes-patch-merge-key", s.MergeKey)
	set(n, "x-kubernetes-patch-strategy", s.MergeStrategy)
	set(n, "x-kubernetes-list-type", s.ListType)
	if len(s.ListMapKeys) > 0 {
		n["x-kubernetes-list-map-keys"] = s.ListMapKeys
	}
	return n
}

func set(n node, key, value string) {
	if value != "" {
		n[key] = value
	}
}

// scalars are the types that other types are made of.
var scalars = map[schema.Type]node{
	schema.String:      {"type": "string"},
	schema.Integer32:   {"type": "integer", "format": "int32"},
	schema.Integer64:   {"type": "integer", "format": "int64"},
	schema.Number:      {"type": "number", "format": "double"},
	schema.Boolean:     {"type": "boolean"},
	schema.IntOrString: {"format": "int-or-string", "oneOf": []node{{"type": "integer"}, {"type": "string"}}},
	schema.Quantity:    {"oneOf": []node{{"type": "string"}, {"type": "number"}}},
	schema.Time:        {"type": "string", "format": "date-time"},
	schema.MicroTime:   {"type": "string", "format": "date-time"},
	schema.Bytes:       {"type": "string", "format": "byte"},
	schema.Any:         {"type": "object"},
}

// structure describes a type without a word about the place where it stands.
func (c components) structure(s *schema.Schema) node {
	n := node{}
	switch s.Type {
	case schema.Array:
		n["type"], n["items"] = "array", c.place(s.Items)
	case schema.Map:
		n["type"], n["additionalProperties"] = "object", c.place(s.Items)
	case schema.Object:
		c.object(n, s)
	default:
		maps.Copy(n, scalars[s.Type])
	}
	set(n, "x-kubernetes-map-type", s.MapType)
	if s.Open || s.Loose && s.Type == schema.Any {
		n["x-kubernetes-preserve-unknown-fields"] = true
	}
	return n
}

func (c components) object(n node, s *schema.Schema) {
	n["type"] = "object"
	properties, required := node{}, []string(nil)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		properties[name] = c.place(p)
		if p.Required {
			required = append(required, name)
		}
	}
	if len(properties) > 0 {
		n["properties"] = properties
	}
	if required != nil {
		n["required"] = required
	}
}

// enumText lists values below a description.
func enumText(values []string) string {
	if len(values) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\nPossible enum values:")
	for _, v := range values {
		b.WriteString("\n - `" + strconv.Quote(v) + "`")
	}
	return b.String()
}
