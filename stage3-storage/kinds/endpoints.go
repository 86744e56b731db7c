package kinds

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

const endpointsDeprecated = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"

func endpoints() Kind {
	return Kind{
		Deprecated: endpointsDeprecated,
		Kind: registry.Kind{
			Resource: row("endpoints", "endpoints", "Endpoints", "services/endpoints", true, "ep"),
			Strategy: registry.Strategy{
				AllowCreateOnUpdate: true,
				Default:             defaulted(rules.Defaults{{Path: "subsets[*].ports[*].protocol", Value: "TCP"}}),
				Validate:            checked(rules.Fields{{Name: "subsets", Check: rules.Each(subset)}}),
				ValidateUpdate: func(o, old *object.Object) field.Errors {
					if rules.Same(o.Fields["subsets"], old.Fields["subsets"]) {
						return nil // what was let in once may stay
					}
					return rules.Each(subset)("subsets", o.Fields["subsets"])
				},
				Warnings: func(*object.Object, *object.Object) []string { return []string{endpointsDeprecated} },
			},
		},
		Columns: []printers.Column{
			printers.Name,
			{Name: "Endpoints", Type: "string", Of: "subsets", Cell: func(o *object.Object) any { return endpointsText(o) }},
			printers.Age,
		},
	}
}

var protocol = rules.OneOf("SCTP", "TCP", "UDP")

var endpointAddress = rules.Fields{
	{Name: "ip", Check: rules.Strictly(rules.IP)},
	{Name: "hostname", Check: rules.Label},
	{Name: "nodeName", Check: rules.Given(rules.Strictly(metadata.DNSSubdomain))},
	{Name: "ip", Check: rules.Strictly(rules.EndpointIP)},
}

// subset checks addresses that have the same ports.
//
// Upstream: pkg/api/validation/validation.go validateEndpointSubsets
func subset(at string, v any) (errs field.Errors) {
	s, _ := v.(tree)
	if len(rules.List(s, "addresses"))+len(rules.List(s, "notReadyAddresses")) == 0 {
		errs = append(errs, field.Required(at, "must specify `addresses` or `notReadyAddresses`"))
	}
	name := rules.Label
	if len(rules.List(s, "ports")) > 1 {
		name = rules.Required(rules.Label)
	}
	port := rules.Fields{
		{Name: "name", Check: name},
		{Name: "port", Check: portNumber},
		{Name: "protocol", Check: rules.Required(protocol)},
		{Name: "appProtocol", Check: rules.Given(rules.LabelKey)},
	}
	return append(errs, rules.Fields{
		{Name: "addresses", Check: rules.Each(endpointAddress.Check)},
		{Name: "notReadyAddresses", Check: rules.Each(endpointAddress.Check)},
		{Name: "ports", Check: rules.Each(port.Check)},
	}.Check(at, s)...)
}

// portNumber is a port that has to be there: a missing one counts as 0.
func portNumber(at string, v any) field.Errors {
	if v == nil {
		v = rules.Number(0)
	}
	return rules.Port(at, v)
}

func endpointsText(o *object.Object) string {
	var list []string
	for _, s := range rules.Items(o.Fields, "subsets") {
		if len(rules.List(s, "ports")) == 0 {
			for _, a := range rules.Items(s, "addresses") {
				list = append(list, rules.Text(a, "ip"))
			}
		}
		for _, p := range rules.Items(s, "ports") {
			for _, a := range rules.Items(s, "addresses") {
				list = append(list, net.JoinHostPort(rules.Text(a, "ip"), strconv.FormatInt(rules.Int(p, "port"), 10)))
			}
		}
	}
	const most = 3
	if len(list) > most {
		return fmt.Sprintf("%s + %d more...", strings.Join(list[:most], ","), len(list)-most)
	}
	return or(strings.Join(list, ","), "<none>")
}
