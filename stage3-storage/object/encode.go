package object

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

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
		b.WriteByte(',')
		writeTree(&b, key)
		b.WriteByte(':')
		writeTree(&b, o.Fields[key])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// writeTree writes what encoding/json would write, without its reflection, for
// the types that a parsed tree has.
func writeTree(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case map[string]any:
		writeMap(b, v)
		return
	case []any:
		writeList(b, v)
		return
	case json.Number:
		if v != "" {
			b.WriteString(string(v))
			return
		}
	case string:
		if plain(v) {
			b.WriteByte('"')
			b.WriteString(v)
			b.WriteByte('"')
			return
		}
	}
	writeJSON(b, v)
}

func writeMap(b *bytes.Buffer, m map[string]any) {
	if m == nil {
		b.WriteString("null")
		return
	}
	var few [16]string // most have no more, and their keys stay off the heap
	keys := few[:0]
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	b.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		writeTree(b, key)
		b.WriteByte(':')
		writeTree(b, m[key])
	}
	b.WriteByte('}')
}

func writeList(b *bytes.Buffer, l []any) {
	if l == nil {
		b.WriteString("null")
		return
	}
	b.WriteByte('[')
	for i, v := range l {
		if i > 0 {
			b.WriteByte(',')
		}
		writeTree(b, v)
	}
	b.WriteByte(']')
}

// plain says that a string can stand between quotes as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			return false
		}
	}
	return true
}

func quote(s string) string {
	var b bytes.Buffer
	writeTree(&b, s)
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
