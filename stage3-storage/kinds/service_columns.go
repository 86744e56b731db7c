package kinds

import (
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func serviceColumns() []printers.Column {
	return []printers.Column{
		printers.Name,
		{Name: "Type", Type: "string", Of: "spec.type", Cell: textAt("", "spec", "type")},
		{Name: "Cluster-IP", Type: "string", Of: "spec.clusterIP", Cell: textAt("<none>", "spec", "clusterIP")},
		{Name: "External-IP", Type: "string", Of: "spec.externalIPs", Cell: func(o *object.Object) any { return externalIP(o) }},
		{Name: "Port(s)", Type: "string", Of: "spec.ports", Cell: func(o *object.Object) any { return portsText(spec(o)) }},
		printers.Age,
		{Name: "Selector", Type: "string", Priority: 1, Of: "spec.selector", Cell: labelsAt("spec", "selector")},
	}
}

func externalIP(o *object.Object) string {
	given := rules.Texts(o.Fields, "spec", "externalIPs")
	switch rules.Text(o.Fields, "spec", "type") {
	case "ClusterIP", "NodePort":
		return or(strings.Join(given, ","), "<none>")
	case "ExternalName":
		return rules.Text(o.Fields, "spec", "externalName")
	case "LoadBalancer":
		var places []string
		for _, i := range rules.Items(o.Fields, "status", "loadBalancer", "ingress") {
			if place := or(rules.Text(i, "ip"), rules.Text(i, "hostname")); place != "" {
				places = append(places, place)
			}
		}
		slices.Sort(places)
		return or(strings.Join(append(slices.Compact(places), given...), ","), "<pending>")
	}
	return "<unknown>"
}

func portsText(s tree) string {
	var list []string
	for _, p := range rules.Items(s, "ports") {
		text := fmt.Sprint(rules.Int(p, "port"))
		if n := rules.Int(p, "nodePort"); n > 0 {
			text += fmt.Sprintf(":%d", n)
		}
		list = append(list, text+"/"+rules.Text(p, "protocol"))
	}
	return or(strings.Join(list, ","), "<none>")
}
