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

// fill walks down one path. In a list of objects it takes every branch.
func fill(t Tree, path string, value any) {
	name, rest, more := strings.Cut(path, ".")
	if list, ok := strings.CutSuffix(name, "[*]"); ok {
		for _, item := range Items(t, list) {
			fill(item, rest, value)
		}
		return
	}
	if more {
		if m, ok := t[name].(Tree); ok {
			fill(m, rest, value)
		}
		return
	}
	Fill(t, name, value)
}

// Fill sets one field if it is missing. An empty string counts as missing
// unless it is the default.
func Fill(t Tree, name string, value any) {
	if v := t[name]; t != nil && (v == nil || v == "") {
		t[name] = object.CopyTree(value)
	}
}
