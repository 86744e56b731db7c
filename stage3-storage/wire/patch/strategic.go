package patch

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
)

// Schema tells what a strategic merge patch has to know of a kind's structure.
// A nil Schema knows nothing: maps are merged, lists are replaced.
//
// Upstream: staging/src/k8s.io/apimachinery/third_party/forked/golang/json/fields.go LookupPatchMetadata
// Now: staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/meta.go LookupPatchMeta
type Schema interface {
	Field(name string) Schema // of an object or a map
	Item() Schema             // of a list
	// Merge says how a list or a map is patched: "merge", "replace", and perhaps
	// ",retainKeys"; "" is what is usual. Objects of a list are merged if they
	// have the same value of key; without a key the list is a set of values.
	Merge() (key, strategy string)
}

// The directives that a strategic merge patch may have beside its fields.
const (
	directive      = "$patch"                    // in a map or a list's item: delete, replace or merge
	retainKeys     = "$retainKeys"               // the only keys that the map keeps
	deleteFromList = "$deleteFromPrimitiveList/" // + a list of values: those that go
	elementOrder   = "$setElementOrder/"         // + a list: its items, or their keys, in the wanted order
)

func isDirective(key string) bool {
	return key == directive || key == retainKeys || strings.HasPrefix(key, deleteFromList) || strings.HasPrefix(key, elementOrder)
}

// Strategic applies a strategic merge patch: it merges maps as Merge does, and
// lists by what their schema says of them.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go StrategicMergeMapPatch
func Strategic(live map[string]any, body []byte, schema Schema) (map[string]any, error) {
	patch, err := parse(body)
	if err == nil {
		err = checkDirectives(patch)
	}
	if err != nil {
		return nil, err
	}
	return mergeMap(live, wholeNumbers(patch).(map[string]any), schema)
}

// wholeNumbers writes 2.0 and 2e0 as 2, in place. Upstream reads a strategic
// merge patch, and no other body, into numbers before it knows what they are
// for, and takes those without a fraction for an integer.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/conversion/unstructured/converter.go fromUnstructured
// Now: staging/src/k8s.io/apimachinery/pkg/runtime/converter.go fromUnstructured
func wholeNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = wholeNumbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = wholeNumbers(e)
		}
	case json.Number:
		const exact = 1 << 53 // from there on a float has no place for the last digits
		f, err := v.Float64()
		if strings.ContainsAny(string(v), ".eE") && err == nil && f == math.Trunc(f) && math.Abs(f) <= exact {
			return json.Number(strconv.FormatInt(int64(f), 10))
		}
	}
	return v
}

// checkDirectives finds malformed directives anywhere in a patch. The code
// behind it relies on their types.
func checkDirectives(v any) error {
	list, _ := v.([]any)
	m, _ := v.(map[string]any)
	for _, e := range slices.Concat(list, slices.Collect(maps.Values(m))) {
		if err := checkDirectives(e); err != nil {
			return err
		}
	}
	for k, d := range m {
		_, isList := d.([]any)
		switch {
		case k == directive && d != "delete" && d != "replace" && d != "merge":
			return status.BadRequest("unknown patch type: %v in map: %v", d, m)
		case k != directive && isDirective(k) && !isList:
			return status.BadRequest("invalid patch format of %s", k)
		}
	}
	return nil
}

func mergeMap(live, patch map[string]any, schema Schema) (map[string]any, error) {
	switch patch[directive] {
	case "delete":
		return map[string]any{}, nil
	case "replace":
		return fresh(patch).(map[string]any), nil
	}
	out := make(map[string]any, len(live)+len(patch))
	maps.Copy(out, live)
	list, limited := patch[retainKeys].([]any)
	keep := indexOf(list, "")
	maps.DeleteFunc(out, func(k string, _ any) bool { return limited && !keep.has(k) })
	takeFromLists(out, patch)
	for k, v := range patch {
		if isDirective(k) {
			continue
		}
		if limited && v != nil && !keep.has(k) {
			return nil, status.BadRequest("invalid patch format of %s", retainKeys)
		}
		merged, err := mergeValue(out[k], v, patch[elementOrder+k], child(schema, k))
		if err != nil {
			return nil, err
		}
		if out[k] = merged; merged == nil {
			delete(out, k)
		}
	}
	orderLists(out, patch, schema)
	return out, nil
}

// takeFromLists takes away the values that go, before others are added.
func takeFromLists(out, patch map[string]any) {
	for k, v := range patch {
		name, found := strings.CutPrefix(k, deleteFromList)
		if list, isList := out[name].([]any); found && isList {
			out[name] = without(list, indexOf(v.([]any), ""))
		}
	}
}

// orderLists does what a patch wants of the order of lists without merging
// their items; lists that were merged have theirs.
func orderLists(out, patch map[string]any, schema Schema) {
	for k, v := range patch {
		name, found := strings.CutPrefix(k, elementOrder)
		list, isList := out[name].([]any)
		if key, strategy := mergeOf(child(schema, name)); found && isList && strategy == "merge" {
			out[name] = inOrder(list, list, v.([]any), key)
		}
	}
}

// mergeValue merges one field. The result is nil where nothing is left of it.
func mergeValue(live, patch, order any, schema Schema) (any, error) {
	key, strategy := mergeOf(schema)
	switch p := patch.(type) {
	case map[string]any:
		if old, ok := live.(map[string]any); ok && strategy != "replace" {
			return mergeMap(old, p, schema)
		}
	case []any:
		if old, ok := live.([]any); ok && strategy == "merge" {
			order, _ := order.([]any)
			return mergeList(old, p, order, key, schema.Item())
		}
	}
	return fresh(patch), nil
}

// fresh is what a patch's value amounts to where it meets nothing to be merged
// with: itself without directives and nulls, or nil for an order to delete.
func fresh(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v[directive] == "delete" {
			return nil
		}
		out := make(map[string]any, len(v))
		for k, e := range v {
			if e := fresh(e); e != nil && !isDirective(k) {
				out[k] = e
			}
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			m, _ := e.(map[string]any)
			if d := m[directive]; d != "delete" && d != "replace" { // those speak of the list
				out = append(out, fresh(e))
			}
		}
		return out
	}
	return v
}

func child(s Schema, name string) Schema {
	if s == nil {
		return nil
	}
	return s.Field(name)
}

// mergeOf leaves "retainKeys" out: that is for those who make patches.
func mergeOf(s Schema) (key, strategy string) {
	if s != nil {
		key, strategy = s.Merge()
	}
	return key, strings.TrimSuffix(strategy, ",retainKeys")
}
