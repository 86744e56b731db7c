package rules

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"

	"example.com/kube-apiserver/stage3-storage/object"
)

// Tree is a parsed JSON object.
type Tree = map[string]any

// Get walks down a path of objects; nil where it ends early.
func Get(t Tree, path ...string) any {
	var v any = t
	for _, name := range path {
		m, _ := v.(Tree)
		v = m[name]
	}
	return v
}

// Map is the object at a path, or nil. Reading from nil is fine, writing is not.
func Map(t Tree, path ...string) Tree {
	m, _ := Get(t, path...).(Tree)
	return m
}

// Make is Map for those who want to write: it makes what is missing.
func Make(t Tree, path ...string) Tree {
	for _, name := range path {
		m, ok := t[name].(Tree)
		if !ok {
			m = Tree{}
			t[name] = m
		}
		t = m
	}
	return t
}

// List is the list at a path, or nil.
func List(t Tree, path ...string) []any {
	l, _ := Get(t, path...).([]any)
	return l
}

// Text is the string at a path, or "".
func Text(t Tree, path ...string) string {
	s, _ := Get(t, path...).(string)
	return s
}

// Bool is the boolean at a path, or false.
func Bool(t Tree, path ...string) bool {
	b, _ := Get(t, path...).(bool)
	return b
}

// Int is the integer at a path, or 0.
func Int(t Tree, path ...string) int64 {
	return IntOf(Get(t, path...))
}

// IntOf is a value as an integer, or 0.
func IntOf(v any) int64 {
	n, _ := integer(v)
	return n
}

// integer reads a number without a fraction.
func integer(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	return i, err == nil
}

// Number is the form in which a tree keeps an integer.
func Number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// Items yields the objects of the list at a path, each with its place. Other
// things in the list are passed over.
func Items(t Tree, path ...string) iter.Seq2[int, Tree] {
	return func(yield func(int, Tree) bool) {
		for i, v := range List(t, path...) {
			if m, ok := v.(Tree); ok && !yield(i, m) {
				return
			}
		}
	}
}

// Texts returns the strings of the list at a path.
func Texts(t Tree, path ...string) []string {
	var list []string
	for _, v := range List(t, path...) {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// ListOf is the form in which a tree keeps a list of strings.
func ListOf(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

// Strings is the object at a path as a map of strings, such as labels.
func Strings(t Tree, path ...string) map[string]string {
	m := map[string]string{}
	for k, v := range Map(t, path...) {
		m[k], _ = v.(string)
	}
	return m
}

// Keys returns the keys of a map in order.
func Keys(t Tree) []string { return slices.Sorted(maps.Keys(t)) }

// Same reports whether two values are the same JSON. A missing value, an empty
// list and an empty object are the same.
func Same(a, b any) bool {
	if empty(a) || empty(b) {
		return empty(a) && empty(b)
	}
	switch a := a.(type) {
	case Tree:
		b, ok := b.(Tree)
		return ok && covers(a, b) && covers(b, a)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Same)
	}
	switch b.(type) {
	case Tree, []any:
		return false // not comparable with ==
	}
	return a == b
}

// covers reports whether b has everything that a has.
func covers(a, b Tree) bool {
	for k, v := range a {
		if !Same(v, b[k]) {
			return false
		}
	}
	return true
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case Tree:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// Put copies the field from one tree to the other, its absence too.
func Put(to, from Tree, name string) {
	if v, there := from[name]; there {
		to[name] = object.CopyTree(v)
	} else {
		delete(to, name)
	}
}
