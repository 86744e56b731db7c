package schema

import "encoding/json"

// Type is what a value is.
type Type int

const (
	Any Type = iota // nothing is known; kept as it came
	Object
	Map
	Array
	String
	Integer32
	Integer64
	Number
	Boolean
	IntOrString
	Quantity  // "100m"
	Time      // RFC 3339 with seconds
	MicroTime // RFC 3339 with six digits behind the seconds
	Bytes     // base64
)

// Schema is one node: what may stand at one place of an object. Nodes are
// made once, are shared and do not change afterwards.
//
// Upstream: vendor/github.com/go-openapi/spec/schema.go Schema
type Schema struct {
	Type   Type
	Name   string // of the structure in OpenAPI, io.k8s.api.core.v1.Container; "" has no name
	GoType string // of the structure in error texts, v1.Container

	// GoField is how error texts call a property of an embedded Go struct,
	// ProbeHandler.exec; "" is the name of the property.
	GoField string

	Properties map[string]*Schema // of an Object
	Always     []string           // properties that no object lacks: a missing one gets its zero value
	Open       bool               // properties without a schema stay
	Items      *Schema            // of an Array, and the values of a Map

	OmitEmpty bool // as a property: "", 0 and false are the same as nothing
	Nullable  bool // the zero value is null, whatever the type
	Loose     bool // nothing but pruning: a custom resource is checked by its own rules, after defaulting

	// Canonical returns the one way to write a Quantity.
	Canonical func(text string) (string, error)

	// The rest is for those who patch and for those who document.

	Description string // of this place
	Doc         string // of the structure Name, wherever it stands
	Required    bool   // as a property
	Default     any    // as parsed JSON
	Enum        []string

	MergeKey, MergeStrategy string   // of a strategic merge patch
	ListType                string   // of an apply: atomic, set, map; "" is atomic
	ListMapKeys             []string // with ListType map
	MapType                 string   // of an Object or a Map: atomic, granular; "" is granular
}

// Field returns the node of a property or of a map's value, nil where it is
// not known.
func (s *Schema) Field(name string) *Schema {
	if s == nil {
		return nil
	}
	if s.Type == Map {
		return s.Items
	}
	return s.Properties[name]
}

// Item returns the node of a list's elements, nil where it is not known.
func (s *Schema) Item() *Schema {
	if s == nil || s.Type != Array {
		return nil
	}
	return s.Items
}

// Merge says how a strategic merge patch treats this place.
func (s *Schema) Merge() (key, strategy string) {
	if s == nil {
		return "", ""
	}
	return s.MergeKey, s.MergeStrategy
}

// zero is what the absence of a value amounts to.
func (s *Schema) zero() any {
	if s.Nullable {
		return nil
	}
	switch s.Type {
	case Object:
		m := make(map[string]any, len(s.Always))
		for _, name := range s.Always {
			m[name] = s.Properties[name].zero()
		}
		return m
	case String:
		return ""
	case Integer32, Integer64, Number, IntOrString:
		return json.Number("0")
	case Boolean:
		return false
	case Quantity:
		return "0"
	}
	return nil // lists, maps, times, bytes
}
