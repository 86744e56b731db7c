package builtin

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// maker makes random objects along a schema: with nulls, empty values, zeros,
// unusual spellings and fields that nobody knows.
type maker struct {
	*rand.Rand
	wrong bool // one more value, of a wrong type, is still to be put in
	depth int
}

func (r *maker) one(in int) bool { return r.IntN(in) == 0 }

func pick[T any](r *maker, values ...T) T { return values[r.IntN(len(values))] }

func (r *maker) value(s *schema.Schema) any {
	r.depth++
	defer func() { r.depth-- }()
	if r.one(12) {
		return nil
	}
	if r.wrong && r.depth > 1 && r.one(30) {
		r.wrong = false
		return r.wrongValue(s)
	}
	switch s.Type {
	case schema.Object:
		return r.object(s)
	case schema.Map:
		m := map[string]any{}
		for range r.IntN(3) {
			m[pick(r, "a", "b.c/d", "cpu", "")] = r.value(s.Items)
		}
		return m
	case schema.Array:
		l := []any{}
		for range r.IntN(3) {
			l = append(l, r.value(s.Items))
		}
		return l
	}
	return r.scalar(s.Type)
}

func (r *maker) object(s *schema.Schema) map[string]any {
	m := map[string]any{}
	chance := 1 + r.depth*r.depth/3 // deep objects have few fields
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if r.one(1 + chance) {
			m[name] = r.value(s.Properties[name])
		}
	}
	if r.one(8) {
		m[pick(r, "colour", "Spec", "META", "api version")] = pick[any](r, nil, "red", map[string]any{"spec": "x"})
	}
	return m
}

func (r *maker) scalar(t schema.Type) any {
	switch t {
	case schema.String:
		return pick(r, "", "web", "<&>", "\u2028")
	case schema.Integer32, schema.Integer64:
		return pick[json.Number](r, "0", "-0", "1", "-7", "2147483647")
	case schema.Boolean:
		return r.one(2)
	case schema.IntOrString:
		return pick[any](r, json.Number("0"), json.Number("80"), "", "http", "25%")
	case schema.Quantity:
		return pick[any](r, "0", "1", "1000m", "0.5", "1024Ki", "1e3", "1.5Gi", " 100m ", "0.1Ki", "123456789123456789123", "+5", json.Number("2"), json.Number("0.25"), "-1", "00")
	case schema.Time:
		return pick(r, "2024-05-01T10:00:00Z", "2024-05-01T10:00:00.987Z", "2024-05-01T10:00:00+02:00", "1970-01-01T00:00:00Z", "1969-12-31T23:59:58.5Z")
	case schema.MicroTime:
		return pick(r, "2024-05-01T10:00:00.000000Z", "2024-05-01T10:00:00.123456+02:00")
	case schema.Bytes:
		return pick(r, "", base64.StdEncoding.EncodeToString([]byte{0, 255, byte(r.IntN(256))}), "YQ==\n", "YR==")
	case schema.Any:
		return pick[any](r, map[string]any{}, map[string]any{"f:spec": map[string]any{}}, json.Number("1.50"), "x", []any{})
	}
	panic(fmt.Sprintf("no values of type %d are made", t))
}

// wrongValue returns a value that most types refuse.
func (r *maker) wrongValue(s *schema.Schema) any {
	switch s.Type {
	case schema.Time, schema.MicroTime:
		return pick[any](r, "", "now", "2024-13-01T00:00:00Z", "2024-05-01T10:00:00", json.Number("5"), true)
	case schema.Bytes:
		return pick[any](r, "abc", "a b=", json.Number("5"), true, map[string]any{})
	case schema.Quantity:
		return pick[any](r, "", "1x", "one", "1.2.3", true)
	case schema.Integer32:
		return pick[any](r, json.Number("1.0"), json.Number("3e1"), json.Number("3000000000"), "5", []any{}, true)
	}
	return pick[any](r, json.Number("5"), json.Number("1.5"), "text", true, map[string]any{}, []any{})
}
