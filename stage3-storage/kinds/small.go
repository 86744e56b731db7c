package kinds

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func base64Text(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func serviceAccounts() Kind {
	return Kind{registry.Kind{
		Resource: row("serviceaccounts", "serviceaccount", "ServiceAccount", "serviceaccounts", true, "sa"),
		Strategy: registry.Strategy{ReturnDeleted: true},
	}, []printers.Column{printers.Name, printers.Age}}
}

func namespaces() Kind {
	return Kind{registry.Kind{
		Resource: row("namespaces", "namespace", "Namespace", "namespaces", false, "ns"),
		Strategy: registry.Strategy{
			ValidateName: registry.DNSLabel,
			Default: func(o *object.Object) {
				if o.Meta.Labels == nil {
					o.Meta.Labels = map[string]string{}
				}
				o.Meta.Labels["kubernetes.io/metadata.name"] = o.Meta.Name
				if o.Fields["spec"] == nil {
					o.Fields["spec"] = tree{}
				}
			},
			KeepOld: []string{"status"},
			PrepareForCreate: func(_ context.Context, o *object.Object) error {
				o.Fields["status"] = tree{"phase": "Active"}
				return nil
			},
			ReturnDeleted: true,
			Field: func(o *object.Object, path string) (string, bool) {
				return asString(status(o)["phase"]), path == "status.phase" || path == "name"
			},
		},
		Status: statusOnly(),
	}, []printers.Column{
		printers.Name,
		{Name: "Status", Type: "string", Text: "The status of the namespace", Cell: func(o *object.Object) any { return asString(status(o)["phase"]) }},
		printers.Age,
	}}
}

func endpoints() Kind {
	return Kind{registry.Kind{
		Resource: row("endpoints", "endpoints", "Endpoints", "services/endpoints", true, "ep"),
		Strategy: registry.Strategy{
			AllowCreateOnUpdate: true,
			Default: func(o *object.Object) {
				each(o.Fields["subsets"], func(_ int, s tree) {
					each(s["ports"], func(_ int, p tree) { defaults(p, "protocol", "TCP") })
				})
			},
			Validate: checkEndpoints,
			Warnings: func(*object.Object, *object.Object) []string {
				return []string{"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"}
			},
		},
	}, []printers.Column{
		printers.Name,
		{Name: "Endpoints", Type: "string", Of: "subsets", Cell: func(o *object.Object) any { return endpointsText(o) }},
		printers.Age,
	}}
}

func checkEndpoints(o *object.Object) (errs field.Errors) {
	each(o.Fields["subsets"], func(i int, s tree) {
		each(s["addresses"], func(j int, a tree) {
			if ip := asString(a["ip"]); net.ParseIP(ip) == nil {
				errs = append(errs, field.Invalid(fmt.Sprintf("subsets[%d].addresses[%d].ip", i, j), ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"))
			}
		})
	})
	return errs
}

func endpointsText(o *object.Object) string {
	var list []string
	each(o.Fields["subsets"], func(_ int, s tree) {
		each(s["ports"], func(_ int, p tree) {
			each(s["addresses"], func(_ int, a tree) {
				list = append(list, fmt.Sprintf("%s:%d", asString(a["ip"]), asInt(p["port"])))
			})
		})
	})
	const most = 3
	if len(list) > most {
		return fmt.Sprintf("%s + %d more...", strings.Join(list[:most], ","), len(list)-most)
	}
	return orNone(strings.Join(list, ","))
}

func nodes() Kind {
	return Kind{registry.Kind{
		Resource: row("nodes", "node", "Node", "minions", false, "no"), // their name of 2014; clusters still hold it
		Strategy: registry.Strategy{
			KeepOld: []string{"status"},
			Default: func(o *object.Object) {
				if o.Fields["spec"] == nil {
					o.Fields["spec"] = tree{}
				}
				emptyStatus(o)
			},
			Field: func(o *object.Object, path string) (string, bool) {
				return fmt.Sprint(asBool(spec(o)["unschedulable"])), path == "spec.unschedulable"
			},
		},
		Status: statusOnly(),
	}, []printers.Column{
		printers.Name,
		{Name: "Status", Type: "string", Text: "The status of the node", Cell: func(o *object.Object) any { return nodeStatus(o) }},
		{Name: "Roles", Type: "string", Text: "The roles of the node", Cell: func(o *object.Object) any { return nodeRoles(o) }},
		printers.Age,
		{Name: "Version", Type: "string", Of: "status.nodeInfo.kubeletVersion", Cell: nodeInfo("kubeletVersion", "")},
		{Name: "Internal-IP", Type: "string", Priority: 1, Of: "status.addresses", Cell: nodeAddress("InternalIP")},
		{Name: "External-IP", Type: "string", Priority: 1, Of: "status.addresses", Cell: nodeAddress("ExternalIP")},
		{Name: "OS-Image", Type: "string", Priority: 1, Of: "status.nodeInfo.osImage", Cell: nodeInfo("osImage", "<unknown>")},
		{Name: "Kernel-Version", Type: "string", Priority: 1, Of: "status.nodeInfo.kernelVersion", Cell: nodeInfo("kernelVersion", "<unknown>")},
		{Name: "Container-Runtime", Type: "string", Priority: 1, Of: "status.nodeInfo.containerRuntimeVersion", Cell: nodeInfo("containerRuntimeVersion", "<unknown>")},
	}}
}

func nodeInfo(name, missing string) func(*object.Object) any {
	return func(o *object.Object) any {
		if s := asString(at(status(o), "nodeInfo", name)); s != "" {
			return s
		}
		return missing
	}
}

func nodeAddress(kind string) func(*object.Object) any {
	return func(o *object.Object) any {
		found := ""
		each(status(o)["addresses"], func(_ int, a tree) {
			if a["type"] == kind && found == "" {
				found = asString(a["address"])
			}
		})
		return orNone(found)
	}
}

func nodeStatus(o *object.Object) string {
	text := "Unknown"
	each(status(o)["conditions"], func(_ int, c tree) {
		if c["type"] == "Ready" {
			text = "NotReady"
			if c["status"] == "True" {
				text = "Ready"
			}
		}
	})
	if asBool(spec(o)["unschedulable"]) {
		text += ",SchedulingDisabled"
	}
	return text
}

func nodeRoles(o *object.Object) string {
	var roles []string
	labels := tree{}
	for k, v := range o.Meta.Labels {
		labels[k] = v
	}
	for _, k := range sortedKeys(labels) {
		if role, ok := strings.CutPrefix(k, "node-role.kubernetes.io/"); ok && role != "" {
			roles = append(roles, role)
		} else if k == "kubernetes.io/role" && labels[k] != "" {
			roles = append(roles, asString(labels[k]))
		}
	}
	return orNone(strings.Join(roles, ","))
}

func events(o Options) Kind {
	get := func(path string) func(*object.Object) any {
		return func(o *object.Object) any { return asString(at(tree(o.Fields), strings.Split(path, ".")...)) }
	}
	return Kind{registry.Kind{
		Resource: row("events", "event", "Event", "events", true, "ev"),
		Strategy: registry.Strategy{
			AllowCreateOnUpdate: true,
			TTL:                 func(*object.Object) time.Duration { return o.EventTTL },
			Field:               eventField,
			Default: func(o *object.Object) {
				for _, name := range []string{"source", "involvedObject"} {
					if o.Fields[name] == nil {
						o.Fields[name] = tree{}
					}
				}
			},
			Validate: func(o *object.Object) field.Errors {
				ns := asString(at(tree(o.Fields), "involvedObject", "namespace"))
				if ns != o.Meta.Namespace && !(ns == "" && o.Meta.Namespace == "default") {
					return field.Errors{field.Invalid("involvedObject.namespace", ns, "does not match event.namespace")}
				}
				return nil
			},
		},
	}, []printers.Column{
		{Name: "Last Seen", Type: "string", Of: "lastTimestamp", Cell: eventTime("lastTimestamp")},
		{Name: "Type", Type: "string", Of: "type", Cell: get("type")},
		{Name: "Reason", Type: "string", Of: "reason", Cell: get("reason")},
		{Name: "Object", Type: "string", Of: "involvedObject", Cell: func(o *object.Object) any {
			return strings.ToLower(asString(at(tree(o.Fields), "involvedObject", "kind"))) + "/" + asString(at(tree(o.Fields), "involvedObject", "name"))
		}},
		{Name: "Subobject", Type: "string", Priority: 1, Of: "involvedObject.fieldPath", Cell: get("involvedObject.fieldPath")},
		{Name: "Source", Type: "string", Priority: 1, Of: "source", Cell: func(o *object.Object) any {
			parts := []string{asString(at(tree(o.Fields), "source", "component"))}
			if host := asString(at(tree(o.Fields), "source", "host")); host != "" {
				parts = append(parts, host)
			}
			return strings.Join(parts, ", ")
		}},
		{Name: "Message", Type: "string", Of: "message", Cell: func(o *object.Object) any { return strings.TrimSpace(asString(o.Fields["message"])) }},
		{Name: "First Seen", Type: "string", Priority: 1, Of: "firstTimestamp", Cell: eventTime("firstTimestamp")},
		{Name: "Count", Type: "string", Priority: 1, Of: "count", Cell: func(o *object.Object) any { return max(asInt(o.Fields["count"]), 1) }},
		{Name: printers.Name.Name, Type: "string", Format: "name", Priority: 1, Of: "metadata.name", Cell: printers.Name.Cell},
	}}
}

func eventTime(name string) func(*object.Object) any {
	return func(o *object.Object) any {
		for _, n := range []string{name, "eventTime"} {
			if t := asString(o.Fields[n]); t != "" {
				return printers.AgeOf(t)
			}
		}
		return "<unknown>"
	}
}

func eventField(o *object.Object, path string) (string, bool) {
	fields := tree(o.Fields)
	switch path {
	case "reason", "type", "reportingComponent":
		if path == "reportingComponent" && asString(fields[path]) == "" {
			return asString(at(fields, "source", "component")), true
		}
		return asString(fields[path]), true
	case "source":
		return asString(at(fields, "source", "component")), true
	}
	name, ok := strings.CutPrefix(path, "involvedObject.")
	switch name {
	case "kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath":
		return asString(at(fields, "involvedObject", name)), ok
	}
	return "", false
}
