package kinds

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
)

// The functions in this file walk trees that may lack anything.

type tree = map[string]any

func spec(o *object.Object) tree   { return asTree(o.Fields["spec"]) }
func status(o *object.Object) tree { return asTree(o.Fields["status"]) }

// specOf returns the spec, and makes one where there is none.
func specOf(o *object.Object) tree {
	s := spec(o)
	if s == nil {
		s = tree{}
		o.Fields["spec"] = s
	}
	return s
}

func asTree(v any) tree {
	t, _ := v.(tree)
	return t
}

func asList(v any) []any {
	l, _ := v.([]any)
	return l
}

func asString(v any) string {
	s, _ := v.(string)
	return s
}

func asInt(v any) int64 {
	n, _ := v.(json.Number)
	i, _ := strconv.ParseInt(string(n), 10, 64)
	return i
}

func asBool(v any) bool {
	b, _ := v.(bool)
	return b
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// at walks down a path of maps.
func at(t tree, path ...string) any {
	var v any = t
	for _, name := range path {
		v = asTree(v)[name]
	}
	return v
}

// defaults sets what is missing: rows of name and value.
func defaults(t tree, rows ...any) {
	for i := 0; i+1 < len(rows); i += 2 {
		name := rows[i].(string)
		if t[name] == nil || t[name] == "" {
			t[name] = object.CopyTree(rows[i+1])
		}
	}
}

// each calls f with every map of a list, and its place.
func each(list any, f func(i int, t tree)) {
	for i, v := range asList(list) {
		if t := asTree(v); t != nil {
			f(i, t)
		}
	}
}

func sortedKeys(t tree) []string { return slices.Sorted(maps.Keys(t)) }

// selectorText writes a map of labels as people write selectors.
func selectorText(t tree) string {
	if len(t) == 0 {
		return "<none>"
	}
	var terms []string
	for _, k := range sortedKeys(t) {
		terms = append(terms, k+"="+asString(t[k]))
	}
	return strings.Join(terms, ",")
}

func orNone(s string) string {
	if s == "" {
		return "<none>"
	}
	return s
}

func stringMap(t tree) map[string]string {
	m := make(map[string]string, len(t))
	for k, v := range t {
		m[k] = asString(v)
	}
	return m
}
