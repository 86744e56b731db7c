package kinds

import (
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

// This file has what several kinds' columns share.

// textAt is a cell that shows a string, or missing.
func textAt(missing string, path ...string) func(*object.Object) any {
	return func(o *object.Object) any { return or(rules.Text(o.Fields, path...), missing) }
}

// intAt is a cell that shows a number.
func intAt(path ...string) func(*object.Object) any {
	return func(o *object.Object) any { return rules.Int(o.Fields, path...) }
}

// labelsAt is a cell that shows a map as people write selectors.
func labelsAt(path ...string) func(*object.Object) any {
	return func(o *object.Object) any { return labelText(rules.Strings(o.Fields, path...)) }
}

func labelText(labels map[string]string) string {
	var terms []string
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		terms = append(terms, k+"="+labels[k])
	}
	return or(strings.Join(terms, ","), "<none>")
}

// ofContainers is a cell that shows one field of all containers of a template.
func ofContainers(name string, template ...string) func(*object.Object) any {
	return func(o *object.Object) any {
		var list []string
		for _, c := range rules.Items(o.Fields, append(slices.Clone(template), "spec", "containers")...) {
			list = append(list, rules.Text(c, name))
		}
		return strings.Join(list, ",")
	}
}

func containersColumn(priority int, template ...string) printers.Column {
	return printers.Column{Name: "Containers", Type: "string", Priority: priority, Text: "Names of each container in the template.", Cell: ofContainers("name", template...)}
}

func imagesColumn(priority int, template ...string) printers.Column {
	return printers.Column{Name: "Images", Type: "string", Priority: priority, Text: "Images referenced by each container in the template.", Cell: ofContainers("image", template...)}
}

// or is s, or what to say where there is none.
func or(s, missing string) string {
	if s == "" {
		return missing
	}
	return s
}

// ScaleColumns are the columns of the subresource scale.
func ScaleColumns() []printers.Column {
	return []printers.Column{
		printers.Name,
		{Name: "Desired", Type: "integer", Of: "spec.replicas", Cell: intAt("spec", "replicas")},
		{Name: "Available", Type: "integer", Of: "status.replicas", Cell: intAt("status", "replicas")},
		printers.Age,
	}
}
