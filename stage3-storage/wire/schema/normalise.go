package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// maxUnknown is how many unknown fields are named to a client.
const maxUnknown = 100

// Normalise brings a parsed object into its stored form, in place. Fields
// without a schema go, and are returned as a client should read of them:
// `unknown field "spec.foo"`. Nulls and empty optional values go. Values that
// every object of the kind has are put in. Quantities, times and bytes
// are written in the one canonical way. So two bodies that mean the same
// become equal, and a normalised object stays as it is.
//
// The error tells of a value of the wrong type; the tree is of no use then.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json/json.go Decode
func (s *Schema) Normalise(tree map[string]any) (unknown []string, err error) {
	if s == nil {
		return nil, nil
	}
	w := walk{}
	w.object(tree, s)
	if w.problem != nil {
		return nil, w.problem
	}
	slices.Sort(w.unknown)
	w.unknown = w.unknown[:min(len(w.unknown), maxUnknown)]
	for i, path := range w.unknown {
		w.unknown[i] = "unknown field " + strconv.Quote(path)
	}
	return w.unknown, nil
}

// walk is one pass over one object.
type walk struct {
	path    []step
	unknown []string // their paths
	problem error    // the one whose path comes first, as maps have no order
	where   string   // that path
}

// step is one step from the root down to a value.
type step struct {
	name  string  // of a property or a key
	owner *Schema // of a property
	index int     // of an element, else notElement
}

const notElement = -1

// value returns what stands for v in the normalised object; nil is nothing.
func (w *walk) value(v any, s *Schema) any {
	if s.Loose {
		return w.loose(v, s)
	}
	if v == nil {
		return s.zero()
	}
	switch v := v.(type) {
	case map[string]any:
		switch s.Type {
		case Object:
			return w.object(v, s)
		case Map:
			return notEmpty(w.entries(v, s))
		}
	case []any:
		if s.Type == Array {
			return notEmpty(w.elements(v, s))
		}
	}
	return w.scalar(v, s)
}

// notEmpty: an empty list or map is none. The storage of upstream, protobuf,
// knows no difference either.
func notEmpty[T map[string]any | []any](v T) any {
	if len(v) == 0 {
		return nil
	}
	return v
}

// loose prunes and leaves everything else alone.
func (w *walk) loose(v any, s *Schema) any {
	switch v := v.(type) {
	case map[string]any:
		switch s.Type {
		case Object:
			return w.object(v, s)
		case Map:
			return w.entries(v, s)
		}
	case []any:
		if s.Type == Array {
			return w.elements(v, s)
		}
	}
	return v
}

func (w *walk) object(m map[string]any, s *Schema) map[string]any {
	w.path = append(w.path, step{owner: s, index: notElement})
	here := len(w.path) - 1
	for name, v := range m {
		w.path[here].name = name
		p, known := s.Properties[name]
		if !known {
			if !s.Open {
				w.unknown = append(w.unknown, pathOf(w.path))
				delete(m, name)
			}
			continue
		}
		v = w.value(v, p)
		if v == nil && !p.Loose || p.OmitEmpty && isZero(v) {
			delete(m, name)
		} else {
			m[name] = v
		}
	}
	for _, name := range s.Always {
		if _, there := m[name]; !there {
			m[name] = s.Properties[name].zero()
		}
	}
	w.path = w.path[:here]
	return m
}

func (w *walk) entries(m map[string]any, s *Schema) map[string]any {
	w.path = append(w.path, step{index: notElement})
	here := len(w.path) - 1
	for key, v := range m {
		w.path[here].name = key
		if v == nil && s.Items.Type == Bytes {
			v = "" // in protobuf no bytes are empty bytes
		}
		m[key] = w.value(v, s.Items)
	}
	w.path = w.path[:here]
	return m
}

func (w *walk) elements(l []any, s *Schema) []any {
	w.path = append(w.path, step{})
	here := len(w.path) - 1
	for i, v := range l {
		w.path[here].index = i
		l[i] = w.value(v, s.Items)
	}
	w.path = w.path[:here]
	return l
}

func isZero(v any) bool {
	switch v := v.(type) {
	case string:
		return v == ""
	case json.Number:
		return v == "0"
	case bool:
		return !v
	}
	return false
}

// mistyped is a value of a wrong type. Its text is that of Go's JSON decoder,
// because that is what clients of upstream read: without indexes and keys of
// maps, and with upstream's Go types.
type mistyped struct{ text, fromTree string }

func (m *mistyped) Error() string { return m.text }

// FromTree is what upstream says where it makes a structure of a parsed tree:
// after a strategic merge patch.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/conversion/unstructured/converter.go fromUnstructured
// Now: staging/src/k8s.io/apimachinery/pkg/runtime/converter.go fromUnstructured
func (m *mistyped) FromTree() string { return m.fromTree }

func (w *walk) wrongType(v any, s *Schema, literal string) any {
	got, kind := "object", "map"
	switch v := v.(type) {
	case []any:
		got, kind = "array", "slice"
	case string:
		got, kind = "string", "string"
	case bool:
		got, kind = "bool", "bool"
	case json.Number:
		got, kind = strings.TrimSpace("number "+literal), "int64"
		if strings.ContainsAny(string(v), ".eE") {
			kind = "float64"
		}
	}
	var owner string
	var fields []string
	for _, st := range w.path {
		if st.owner != nil {
			owner = st.owner.GoType[strings.LastIndexByte(st.owner.GoType, '.')+1:]
			fields = append(fields, cmp.Or(st.owner.Properties[st.name].GoField, st.name))
		}
	}
	text := "json: cannot unmarshal " + got + " into Go struct field " + owner + "." + strings.Join(fields, ".") + " of type " + s.GoType
	return w.fail(&mistyped{text, notRestored(kind, s)})
}

// notRestored: an integer could be taken for a string, which upstream refuses; of
// anything else it does not know how.
func notRestored(kind string, s *Schema) string {
	number := strings.HasSuffix(kind, "64")
	switch s.Type {
	case Object:
		return "cannot restore struct from: " + kind
	case Map:
		return "cannot restore map from " + kind
	case Array, Bytes:
		return "cannot restore slice from " + kind
	case String, Integer32, Integer64, Number:
		if number && (kind == "int64" || s.Type != String) { // Go knows no string of a float
			return "cannot convert " + kind + " to " + s.GoType
		}
	}
	if s.Type == String {
		return "unrecognized type: string" // for types that are strings as well
	}
	return "unrecognized type: " + s.GoType
}

func (w *walk) fail(problem error) any {
	if at := pathOf(w.path); w.problem == nil || at < w.where {
		w.problem, w.where = problem, at
	}
	return nil
}

func pathOf(path []step) string {
	var b strings.Builder
	for i, s := range path {
		switch {
		case s.index != notElement:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case i > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}
