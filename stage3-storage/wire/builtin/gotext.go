package builtin

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	core "k8s.io/api/core/v1"
)

// goTypes are the structures that complaints about objects show whole.
var goTypes = map[string]reflect.Type{
	"EphemeralContainer":        reflect.TypeFor[core.EphemeralContainer](),
	"NodeSelectorTerm":          reflect.TypeFor[core.NodeSelectorTerm](),
	"PersistentVolumeClaimSpec": reflect.TypeFor[core.PersistentVolumeClaimSpec](),
	"PersistentVolumeSource":    reflect.TypeFor[core.PersistentVolumeSource](),
	"PodResourceClaim":          reflect.TypeFor[core.PodResourceClaim](),
	"PodSpec":                   reflect.TypeFor[core.PodSpec](),
	"SecurityContext":           reflect.TypeFor[core.SecurityContext](),
	"VolumeNodeAffinity":        reflect.TypeFor[core.VolumeNodeAffinity](),
}

// AsGo is a value as upstream's complaints show it: with the names of the Go
// structure's fields, in their order, the empty ones too. What is no value of
// that type is returned as it is.
func AsGo(name string, v any) any {
	t, known := goTypes[name]
	data, err := json.Marshal(v)
	if !known || err != nil {
		return v
	}
	p := reflect.New(t)
	if json.Unmarshal(data, p.Interface()) != nil {
		return v
	}
	var b bytes.Buffer
	writeGo(&b, p.Elem())
	return json.RawMessage(b.Bytes())
}

func writeGo(b *bytes.Buffer, v reflect.Value) {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.CanAddr() {
		if m, ok := v.Addr().Interface().(json.Marshaler); ok {
			writeJSON(b, m)
			return
		}
	}
	switch {
	case v.Kind() == reflect.Struct:
		b.WriteByte('{')
		writeFields(b, v, true)
		b.WriteByte('}')
	case v.Kind() == reflect.Map && !v.IsNil():
		writeMap(b, v)
	case v.Kind() == reflect.Slice && !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8:
		b.WriteByte('[')
		for i := range v.Len() {
			separate(b, i == 0)
			writeGo(b, v.Index(i))
		}
		b.WriteByte(']')
	default:
		writeJSON(b, v.Interface())
	}
}

// writeFields writes the fields of a struct; those of an embedded one stand
// beside the others. It returns whether the next field is the first one.
func writeFields(b *bytes.Buffer, v reflect.Value, first bool) bool {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			first = writeFields(b, v.Field(i), first)
		case f.IsExported():
			separate(b, first)
			writeJSON(b, f.Name)
			b.WriteByte(':')
			writeGo(b, v.Field(i))
			first = false
		}
	}
	return first
}

func writeMap(b *bytes.Buffer, v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return bytes.Compare([]byte(a.String()), []byte(b.String())) })
	b.WriteByte('{')
	for i, k := range keys {
		separate(b, i == 0)
		writeJSON(b, k.String())
		b.WriteByte(':')
		value := reflect.New(v.Type().Elem()).Elem() // elements of maps have no address
		value.Set(v.MapIndex(k))
		writeGo(b, value)
	}
	b.WriteByte('}')
}

func separate(b *bytes.Buffer, first bool) {
	if !first {
		b.WriteByte(',')
	}
}

func writeJSON(b *bytes.Buffer, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		data = []byte("null") // a value of the API's types always can be encoded
	}
	b.Write(data)
}
