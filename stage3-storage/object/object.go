package object

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
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

// Encode writes the object without its resourceVersion: the form in which it
// is stored. Equal objects have equal bytes, which is how a write that changes
// nothing is noticed.
func (o *Object) Encode() []byte {
	var b bytes.Buffer
	b.WriteString(`{"kind":` + quote(o.Kind) + `,"apiVersion":` + quote(o.APIVersion) + `,"metadata":`)
	meta := o.Meta
	meta.ResourceVersion = ""
	writeJSON(&b, meta)
	for _, key := range slices.Sorted(maps.Keys(o.Fields)) {
		b.WriteString("," + quote(key) + ":")
		writeJSON(&b, o.Fields[key])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// Encoded is a finished object: what is stored, cached and sent. It is
// immutable and safe for concurrent use. Equal pointers are equal objects.
type Encoded struct {
	json []byte
	rev  int64

	once sync.Once
	obj  *Object
	err  error
}

// NewEncoded wraps a stored value. value has no resourceVersion; rev becomes
// it. value is copied.
func NewEncoded(value []byte, rev int64) *Encoded {
	return &Encoded{json: withRevision(value, rev), rev: rev}
}

// Unstored wraps an object that is in no store: it has no resourceVersion.
func Unstored(o *Object) *Encoded { return &Encoded{json: o.Encode()} }

// FromWire wraps the bytes of one object as a server sent them and keeps them.
func FromWire(data []byte) (*Encoded, error) {
	e := &Encoded{json: data}
	obj, err := e.Object()
	if err != nil {
		return nil, err
	}
	e.rev, _ = strconv.ParseInt(obj.Meta.ResourceVersion, 10, 64) // 0 where the object has none
	return e, nil
}

// JSON returns the object's bytes. They are shared: do not change them.
func (e *Encoded) JSON() []byte { return e.json }

// Revision is the store's revision of the write that made this object.
func (e *Encoded) Revision() int64 { return e.rev }

// At returns the same object with the revision of a later event.
func (e *Encoded) At(rev int64) *Encoded {
	obj, err := e.Object()
	if err != nil {
		return e
	}
	return NewEncoded(obj.Encode(), rev)
}

// Object decodes the bytes at the first call. The result is shared by all
// callers and read only; use DeepCopy to get one to work on.
func (e *Encoded) Object() (*Object, error) {
	e.once.Do(func() {
		tree, _, err := Parse(e.json)
		if err == nil {
			e.obj, err = FromTree(tree)
		}
		if e.err = err; err != nil {
			e.err = fmt.Errorf("object of revision %d cannot be decoded: %w", e.rev, err)
		}
	})
	return e.obj, e.err
}

var metadataKey = []byte(`"metadata":{`)

// withRevision puts the resourceVersion into the bytes of an object without
// parsing it: first thing behind "metadata":{.
func withRevision(value []byte, rev int64) []byte {
	at := topLevelKey(value, metadataKey)
	if at < 0 {
		return bytes.Clone(value)
	}
	at += len(metadataKey)
	out := make([]byte, 0, len(value)+44)
	out = append(out, value[:at]...)
	out = append(out, `"resourceVersion":"`...)
	out = strconv.AppendInt(out, rev, 10)
	out = append(out, '"')
	if value[at] != '}' {
		out = append(out, ',')
	}
	return append(out, value[at:]...)
}

// topLevelKey finds key outside of strings and of nested values. Our own
// encoding has it within the first bytes; a foreign writer may not.
func topLevelKey(value, key []byte) int {
	depth := 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			if depth == 1 && bytes.HasPrefix(value[i:], key) {
				return i
			}
			for i++; i < len(value) && value[i] != '"'; i++ {
				if value[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
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

func quote(s string) string {
	var b bytes.Buffer
	writeJSON(&b, s)
	return b.String()
}

// writeJSON appends v without a line end and with <, > and & as they are.
func writeJSON(b *bytes.Buffer, v any) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("object: a tree of JSON values cannot be encoded: %v", err)) // only a programming error puts anything else into it
	}
	b.Truncate(b.Len() - 1)
}
