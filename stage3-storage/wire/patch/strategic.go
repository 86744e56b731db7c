package patch

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
)

// Schema tells which lists are merged, and by which key. A nil Schema knows
// nothing: lists are replaced.
type Schema interface {
	Field(name string) Schema
	Item() Schema                  // of a list or of a map's values
	Merge() (key, strategy string) // of a list: strategy contains "merge" where its items are merged
}

// The directives that a strategic merge patch may have beside its fields.
const (
	directive      = "$patch" // replace, delete or merge, in a map
	retainKeys     = "$retainKeys"
	deleteFromList = "$deleteFromPrimitiveList/"
	elementOrder   = "$setElementOrder/"
)

// Strategic applies a strategic merge patch: like Merge, but lists of objects
// are merged by the key that their schema names.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go StrategicMergePatch
func Strategic(live map[string]any, body []byte, schema Schema) (map[string]any, error) {
	p, err := parse(body)
	if err != nil {
		return nil, err
	}
	return strategicMap(live, p, schema)
}

func strategicMap(live, patch map[string]any, schema Schema) (map[string]any, error) {
	out := maps.Clone(live)
	if out == nil {
		out = map[string]any{}
	}
	switch d := patch[directive]; d {
	case nil, "merge":
	case "replace":
		return withoutDirectives(patch), nil
	case "delete":
		return map[string]any{}, nil
	default:
		return nil, status.BadRequest("unknown patch type %v in %v", d, patch)
	}
	if keep, ok := patch[retainKeys].([]any); ok {
		for k := range out {
			if !contains(keep, k) {
				delete(out, k)
			}
		}
	}
	for k, v := range patch {
		name, isDelete := strings.CutPrefix(k, deleteFromList)
		switch {
		case isDelete:
			gone, ok := v.([]any)
			if !ok {
				return nil, status.BadRequest("%s: want a list", k)
			}
			if list, ok := out[name].([]any); ok {
				out[name] = slices.DeleteFunc(slices.Clone(list), func(e any) bool { return contains(gone, e) })
			}
		case k == directive, k == retainKeys, strings.HasPrefix(k, elementOrder):
		case v == nil:
			delete(out, k)
		default:
			next, err := strategicValue(out[k], v, patch[elementOrder+k], child(schema, k))
			if err != nil {
				return nil, err
			}
			out[k] = next
		}
	}
	return out, onlyOrdered(out, patch, schema)
}

// onlyOrdered puts lists into order that the patch orders and does not change.
func onlyOrdered(out, patch map[string]any, schema Schema) error {
	for k, order := range patch {
		name, isOrder := strings.CutPrefix(k, elementOrder)
		if !isOrder {
			continue
		}
		if _, changed := patch[name]; changed {
			continue
		}
		list, ok := out[name].([]any)
		wanted, isList := order.([]any)
		if ok && isList {
			key, _ := mergeOf(child(schema, name))
			out[name] = inOrder(list, wanted, key)
		}
	}
	return nil
}

func child(s Schema, name string) Schema {
	if s == nil {
		return nil
	}
	return s.Field(name)
}

func mergeOf(s Schema) (key string, merges bool) {
	if s == nil {
		return "", false
	}
	key, strategy := s.Merge()
	return key, strings.Contains(strategy, "merge")
}

func strategicValue(live, patch, order any, schema Schema) (any, error) {
	switch p := patch.(type) {
	case map[string]any:
		old, _ := live.(map[string]any)
		return strategicMap(old, p, schema)
	case []any:
		key, merges := mergeOf(schema)
		old, _ := live.([]any)
		if !merges {
			return withoutDirectivesList(p), nil
		}
		list, err := strategicList(old, p, key, schema)
		if wanted, ok := order.([]any); ok && err == nil {
			list = inOrder(list, wanted, key)
		}
		return list, err
	}
	return patch, nil
}

// strategicList merges a list: of values, as a set; of objects, by key.
func strategicList(live, patch []any, key string, schema Schema) ([]any, error) {
	out := slices.Clone(live)
	if key == "" {
		for _, v := range patch {
			if !contains(out, v) {
				out = append(out, v)
			}
		}
		return out, nil
	}
	for _, v := range patch {
		if m, ok := v.(map[string]any); ok && m[directive] == "replace" && m[key] == nil {
			return others(patch, key)
		}
	}
	var item Schema
	if schema != nil {
		item = schema.Item()
	}
	for _, v := range patch {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, status.BadRequest("map: %v does not contain declared merge key: %s", v, key)
		}
		id, ok := m[key]
		if !ok {
			return nil, status.New(500, "InternalError", fmt.Sprintf("map: %v does not contain declared merge key: %s", printable(m), key), nil)
		}
		i := slices.IndexFunc(out, func(e any) bool { return same(idOf(e, key), id) })
		switch {
		case m[directive] == "delete":
			out = slices.DeleteFunc(out, func(e any) bool { return same(idOf(e, key), id) })
		case i < 0:
			next, err := strategicMap(nil, m, item)
			if err != nil {
				return nil, err
			}
			out = append(out, next)
		default:
			old, _ := out[i].(map[string]any)
			next, err := strategicMap(old, m, item)
			if err != nil {
				return nil, err
			}
			out[i] = next
		}
	}
	return out, nil
}

// others are the items of a patch that replaces a whole list.
func others(patch []any, key string) ([]any, error) {
	out := []any{}
	for _, v := range patch {
		if m, ok := v.(map[string]any); ok && m[key] != nil {
			out = append(out, withoutDirectives(m))
		}
	}
	return out, nil
}

func idOf(e any, key string) any {
	if key == "" {
		return e
	}
	m, _ := e.(map[string]any)
	return m[key]
}

// inOrder brings the items that order names into its order. The others keep
// their place relative to the item that stood before them.
func inOrder(list, order []any, key string) []any {
	rank := map[any]int{}
	for i, o := range order {
		rank[hashable(idOf(o, key))] = i + 1
	}
	var named, rest []any
	follows := map[any][]any{} // item before → those behind it that order does not name
	var before any
	for _, e := range list {
		id := hashable(idOf(e, key))
		if rank[id] > 0 {
			named = append(named, e)
			before = id
			continue
		}
		if before == nil {
			rest = append(rest, e)
		} else {
			follows[before] = append(follows[before], e)
		}
	}
	slices.SortStableFunc(named, func(a, b any) int {
		return rank[hashable(idOf(a, key))] - rank[hashable(idOf(b, key))]
	})
	out := append([]any{}, rest...)
	for _, e := range named {
		out = append(out, e)
		out = append(out, follows[hashable(idOf(e, key))]...)
	}
	return out
}

func contains(list []any, v any) bool {
	return slices.ContainsFunc(list, func(e any) bool { return same(e, v) })
}

// same compares any two JSON values; == panics over maps and lists.
func same(a, b any) bool { return hashable(a) == hashable(b) }

// hashable makes something that can be a map's key of any JSON value.
func hashable(v any) any {
	switch v.(type) {
	case map[string]any, []any:
		return printable(v)
	}
	return v
}

func printable(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

func withoutDirectives(m map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		if k == directive || k == retainKeys || strings.HasPrefix(k, deleteFromList) || strings.HasPrefix(k, elementOrder) || v == nil {
			continue
		}
		out[k] = clean(v)
	}
	return out
}

func withoutDirectivesList(l []any) []any {
	out := make([]any, len(l))
	for i, v := range l {
		out[i] = clean(v)
	}
	return out
}

func clean(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return withoutDirectives(v)
	case []any:
		return withoutDirectivesList(v)
	}
	return v
}
