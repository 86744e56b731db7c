package kinds

import (
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func nodeColumns() []printers.Column {
	info := func(name, missing string) func(*object.Object) any {
		return textAt(missing, "status", "nodeInfo", name)
	}
	return []printers.Column{
		printers.Name,
		{Name: "Status", Type: "string", Text: "The status of the node", Cell: func(o *object.Object) any { return nodeStatus(o) }},
		{Name: "Roles", Type: "string", Text: "The roles of the node", Cell: func(o *object.Object) any { return nodeRoles(o) }},
		printers.Age,
		{Name: "Version", Type: "string", Of: "status.nodeInfo.kubeletVersion", Cell: info("kubeletVersion", "")},
		{Name: "Internal-IP", Type: "string", Priority: 1, Of: "status.addresses", Cell: nodeAddress("InternalIP")},
		{Name: "External-IP", Type: "string", Priority: 1, Of: "status.addresses", Cell: nodeAddress("ExternalIP")},
		{Name: "OS-Image", Type: "string", Priority: 1, Of: "status.nodeInfo.osImage", Cell: info("osImage", "<unknown>")},
		{Name: "Kernel-Version", Type: "string", Priority: 1, Of: "status.nodeInfo.kernelVersion", Cell: func(o *object.Object) any { return kernel(o) }},
		{Name: "Container-Runtime", Type: "string", Priority: 1, Of: "status.nodeInfo.containerRuntimeVersion", Cell: info("containerRuntimeVersion", "<unknown>")},
	}
}

// nodeStatus says whether the node is ready and takes new pods.
func nodeStatus(o *object.Object) string {
	text := "Unknown"
	for _, c := range rules.Items(o.Fields, "status", "conditions") {
		if c["type"] == "Ready" {
			text = "NotReady"
			if c["status"] == "True" {
				text = "Ready"
			}
		}
	}
	if rules.Bool(o.Fields, "spec", "unschedulable") {
		text += ",SchedulingDisabled"
	}
	return text
}

// nodeRoles are read from labels: a node has no field for them.
func nodeRoles(o *object.Object) string {
	var roles []string
	for k, v := range o.Meta.Labels {
		if role, ok := strings.CutPrefix(k, "node-role.kubernetes.io/"); ok && role != "" {
			roles = append(roles, role)
		} else if k == "kubernetes.io/role" && v != "" {
			roles = append(roles, v)
		}
	}
	slices.Sort(roles)
	return or(strings.Join(slices.Compact(roles), ","), "<none>")
}

func nodeAddress(kind string) func(*object.Object) any {
	return func(o *object.Object) any {
		for _, a := range rules.Items(o.Fields, "status", "addresses") {
			if a["type"] == kind {
				return rules.Text(a, "address")
			}
		}
		return "<none>"
	}
}

func kernel(o *object.Object) string {
	version := or(rules.Text(o.Fields, "status", "nodeInfo", "kernelVersion"), "<unknown>")
	if arch := rules.Text(o.Fields, "status", "nodeInfo", "architecture"); arch != "" {
		version += " (" + arch + ")"
	}
	return version
}
