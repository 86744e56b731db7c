package rules

import (
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
)

// Defaults is a table of what a field is when its author left it out. A path is
// names with dots between; name[*] is every element of a list:
// "containers[*].ports[*].protocol". A default is set where the object that
// holds the field is there and the field is not.
type Defaults []Default

// Default is a row of Defaults. Value is copied.
type Default struct {
	Path  string
	Value any // as parsed JSON; use Number for integers
}

// Apply fills in what is missing in t.
func (d Defaults) Apply(t Tree) {
	for _, row := range d {
		fill(t, row.Path, row.Value)
	}
}

func fill(t Tree, path string, value any) {
	visit(t, path, func(holder Tree, name string) { Fill(holder, name, value) })
}

// Drop takes fields away. Their paths are as those of Defaults.
func Drop(t Tree, paths ...string) {
	for _, path := range paths {
		visit(t, path, func(holder Tree, name string) { delete(holder, name) })
	}
}

// visit walks down one path, to the objects that hold the field if it is there.
// In a list of objects it takes every branch.
func visit(t Tree, path string, f func(holder Tree, name string)) {
	name, rest, more := strings.Cut(path, ".")
	if list, ok := strings.CutSuffix(name, "[*]"); ok {
		for _, item := range Items(t, list) {
			visit(item, rest, f)
		}
		return
	}
	if more {
		if m, ok := t[name].(Tree); ok {
			visit(m, rest, f)
		}
		return
	}
	f(t, name)
}

// Fill sets one field if it is missing. An empty string counts as missing
// unless it is the default.
func Fill(t Tree, name string, value any) {
	if v := t[name]; t != nil && (v == nil || v == "") {
		t[name] = object.CopyTree(value)
	}
}
