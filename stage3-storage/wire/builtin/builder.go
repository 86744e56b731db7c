package builtin

import (
	"cmp"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// Tags are what the comments of the sources say about a type, by the names of
// its fields in JSON.
type Tags struct {
	Lists    map[string]string // "atomic", "set", or "map" and the keys: "map containerPort protocol"
	Maps     map[string]string // "atomic" or "granular"
	Defaults map[string]any
	Optional []string // may be left out although the encoder does not
	Required []string // must be there although the encoder leaves empty ones out
	Atomic   bool     // the type as a whole is one value for an apply
	Enum     []string // the values of a string type
}

// builder makes schema nodes of Go types and keeps them.
type builder struct {
	nodes map[reflect.Type]*schema.Schema
	tags  map[string]Tags // by import path and name of the type
}

// newBuilder knows the types that encode themselves. GoType is what their own
// decoders say in errors.
func newBuilder() builder {
	nodes := map[reflect.Type]*schema.Schema{}
	for _, row := range []struct {
		value  any
		typ    schema.Type
		goType string
	}{
		{resource.Quantity{}, schema.Quantity, ""},
		{meta.Time{}, schema.Time, "string"},
		{meta.MicroTime{}, schema.MicroTime, "string"},
		{intstr.IntOrString{}, schema.IntOrString, "int32"},
		{runtime.RawExtension{}, schema.Any, ""},
		{meta.FieldsV1{}, schema.Any, ""},
		{[]byte{}, schema.Bytes, "[]uint8"},
	} {
		t := reflect.TypeOf(row.value)
		nodes[t] = &schema.Schema{Type: row.typ, Name: modelName(t), GoType: row.goType, Doc: docs(t)[""]}
	}
	nodes[reflect.TypeFor[resource.Quantity]()].Canonical = canonicalQuantity
	return builder{nodes: nodes, tags: map[string]Tags{}}
}

func (b *builder) addTags(tags map[string]Tags) { maps.Copy(b.tags, tags) }

// node returns the node of a type. Types that meet themselves again are fine.
func (b *builder) node(t reflect.Type) *schema.Schema {
	if n, ok := b.nodes[t]; ok {
		return n
	}
	n := &schema.Schema{GoType: t.String()}
	b.nodes[t] = n
	switch t.Kind() {
	case reflect.Pointer:
		*n = *b.node(t.Elem())
		n.Nullable = true
	case reflect.Struct:
		b.object(n, t)
	case reflect.Map:
		n.Type, n.Items = schema.Map, b.node(t.Elem())
	case reflect.Slice:
		n.Type, n.Items = schema.Array, b.node(t.Elem())
	case reflect.String:
		n.Type, n.Enum = schema.String, b.tags[fullName(t)].Enum
	case reflect.Bool:
		n.Type = schema.Boolean
	case reflect.Int32:
		n.Type = schema.Integer32
	case reflect.Int64:
		n.Type = schema.Integer64
	default:
		panic("builtin: k8s.io/api has a type that no object has: " + t.String()) // seen by the tests, which make all schemas
	}
	return n
}

// object fills in n for a struct. Which properties always stand is settled
// before any of them is looked at: a type may contain itself.
func (b *builder) object(n *schema.Schema, t reflect.Type) {
	n.Type, n.Name, n.Doc = schema.Object, modelName(t), docs(t)[""]
	n.Properties = map[string]*schema.Schema{}
	if b.tags[fullName(t)].Atomic {
		n.MapType = "atomic"
	}
	var fields []jsonField
	for i := range t.NumField() {
		f := fieldOf(t.Field(i))
		switch {
		case f.inline:
			b.embed(n, f)
		case f.name != "":
			fields = append(fields, f)
			if f.always() {
				n.Always = append(n.Always, f.name)
			}
		}
	}
	tags, texts := b.tags[fullName(t)], docs(t)
	for _, f := range fields {
		n.Properties[f.name] = b.property(f, tags, texts[f.name])
	}
}

// embed gives n the properties of an embedded struct.
func (b *builder) embed(n *schema.Schema, f jsonField) {
	embedded := b.node(f.Type)
	n.Always = append(n.Always, embedded.Always...)
	for name, p := range embedded.Properties {
		p := *p
		p.GoField = f.Name + "." + cmp.Or(p.GoField, name)
		n.Properties[name] = &p
	}
}

// property is the node of the field's type with what only this field has.
func (b *builder) property(f jsonField, tags Tags, text string) *schema.Schema {
	n := *b.node(f.Type)
	n.Description = text
	n.OmitEmpty = f.omitEmpty && !f.always() && f.Type.Kind() != reflect.Pointer
	n.Required = !f.omitEmpty && !slices.Contains(tags.Optional, f.name) || slices.Contains(tags.Required, f.name)
	n.Default = tags.Defaults[f.name]
	n.MergeKey, n.MergeStrategy = f.Tag.Get("patchMergeKey"), f.Tag.Get("patchStrategy")
	if list := strings.Fields(tags.Lists[f.name]); len(list) > 0 {
		n.ListType, n.ListMapKeys = list[0], list[1:]
	}
	if m, ok := tags.Maps[f.name]; ok {
		n.MapType = m
	}
	return &n
}

// jsonField is a field of a struct as encoding/json sees it.
type jsonField struct {
	reflect.StructField
	name                        string // "" is not encoded
	inline, omitEmpty, omitZero bool
}

func fieldOf(f reflect.StructField) jsonField {
	tag := f.Tag.Get("json")
	name, options, _ := strings.Cut(tag, ",")
	switch {
	case f.Anonymous && name == "":
		return jsonField{StructField: f, inline: true}
	case tag == "-" || !f.IsExported():
		name = ""
	}
	return jsonField{f, name, false, strings.Contains(options, "omitempty"), strings.Contains(options, "omitzero")}
}

// always: encoding/json counts no struct as empty.
func (f jsonField) always() bool {
	return !f.omitZero && (!f.omitEmpty || f.Type.Kind() == reflect.Struct)
}

func fullName(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

// modelName is the type's name in OpenAPI; "" for a type without one.
func modelName(t reflect.Type) string {
	if m, ok := reflect.Zero(t).Interface().(interface{ OpenAPIModelName() string }); ok {
		return m.OpenAPIModelName()
	}
	return ""
}

// docs are the texts of a type's fields, and under "" that of the type.
func docs(t reflect.Type) map[string]string {
	if d, ok := reflect.Zero(t).Interface().(interface{ SwaggerDoc() map[string]string }); ok {
		return d.SwaggerDoc()
	}
	return nil
}

// canonicalQuantity leaves the arithmetic to upstream's own type.
func canonicalQuantity(text string) (string, error) {
	if excessive(text) {
		return "", errors.New("quantities must have less than 1000 characters and an exponent of three digits at most")
	}
	q, err := resource.ParseQuantity(strings.TrimSpace(text))
	return q.String(), err
}

// excessive spots numbers whose digits upstream's type would write out: with a
// few bytes a client could keep the server busy for minutes.
func excessive(text string) bool {
	if len(text) >= 1000 {
		return true
	}
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	return len(strings.TrimLeft(exponent, "+-0")) > 3
}
