package kinds

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func pods(o Options) Kind {
	resource := row("pods", "pod", "Pod", "pods", true, "po")
	resource.Categories = []string{"all"}
	return Kind{registry.Kind{
		Resource: resource,
		Strategy: registry.Strategy{
			KeepOld:       []string{"status"},
			HasGeneration: true,
			ReturnDeleted: true,
			Default: func(o *object.Object) {
				defaultPodSpec(specOf(o))
				defaultTolerations(specOf(o))
			},
			PrepareForCreate: func(_ context.Context, o *object.Object) error {
				o.Fields["status"] = tree{"phase": "Pending", "qosClass": qosClass(o)}
				return nil
			},
			Validate:       func(p *object.Object) field.Errors { return checkPod(p, o.AllowPrivileged) },
			ValidateUpdate: checkPodUpdate,
			GracePeriod:    podGrace,
			Field:          podField,
		},
		Status: statusOnly(),
	}, podColumns()}
}

// defaultTolerations lets a pod stay for five minutes on a node that is lost:
// today that is done by an admission plugin that is on by default.
//
// Upstream: plugin/pkg/admission/defaulttolerationseconds/admission.go Admit
func defaultTolerations(s tree) {
	defaults(s, "priority", number(0), "preemptionPolicy", "PreemptLowerPriority")
	list := asList(s["tolerations"])
	for _, key := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		known := slices.ContainsFunc(list, func(v any) bool {
			t := asTree(v)
			return (t["key"] == key || t["key"] == nil) && (t["effect"] == "NoExecute" || t["effect"] == nil)
		})
		if !known {
			list = append(list, tree{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": number(300)})
		}
	}
	s["tolerations"] = list
}

// podGrace is how long a deleted pod stays: a node is to end it first, so one
// that is on no node, or has ended, goes at once.
//
// Upstream: pkg/registry/core/pod/strategy.go CheckGracefulDelete
func podGrace(o *object.Object, asked *int64) int64 {
	phase := asString(status(o)["phase"])
	if asString(spec(o)["nodeName"]) == "" || phase == "Failed" || phase == "Succeeded" {
		return 0
	}
	if asked != nil {
		return *asked
	}
	return asInt(spec(o)["terminationGracePeriodSeconds"])
}

func podField(o *object.Object, path string) (string, bool) {
	switch path {
	case "spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName":
		return asString(spec(o)[strings.TrimPrefix(path, "spec.")]), true
	case "spec.hostNetwork":
		return fmt.Sprint(asBool(spec(o)["hostNetwork"])), true
	case "status.phase", "status.nominatedNodeName", "status.podIP":
		return asString(status(o)[strings.TrimPrefix(path, "status.")]), true
	}
	return "", false
}

func podColumns() []printers.Column {
	text := func(f func(o *object.Object) string) func(*object.Object) any {
		return func(o *object.Object) any { return f(o) }
	}
	return []printers.Column{
		printers.Name,
		{Name: "Ready", Type: "string", Text: "The aggregate readiness state of this pod for accepting traffic.", Cell: func(o *object.Object) any {
			ready := 0
			each(status(o)["containerStatuses"], func(_ int, c tree) {
				if asBool(c["ready"]) {
					ready++
				}
			})
			return fmt.Sprintf("%d/%d", ready, len(asList(spec(o)["containers"])))
		}},
		{Name: "Status", Type: "string", Text: "The aggregate status of the containers in this pod.", Cell: text(podStatus)},
		{Name: "Restarts", Type: "string", Text: "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.", Cell: func(o *object.Object) any {
			n := int64(0)
			each(status(o)["containerStatuses"], func(_ int, c tree) { n += asInt(c["restartCount"]) })
			return fmt.Sprint(n)
		}},
		printers.Age,
		{Name: "IP", Type: "string", Priority: 1, Of: "status.podIP", Cell: text(func(o *object.Object) string { return orNone(asString(status(o)["podIP"])) })},
		{Name: "Node", Type: "string", Priority: 1, Of: "spec.nodeName", Cell: text(func(o *object.Object) string { return orNone(asString(spec(o)["nodeName"])) })},
		{Name: "Nominated Node", Type: "string", Priority: 1, Of: "status.nominatedNodeName", Cell: text(func(o *object.Object) string { return orNone(asString(status(o)["nominatedNodeName"])) })},
		{Name: "Readiness Gates", Type: "string", Priority: 1, Of: "spec.readinessGates", Cell: text(readinessGates)},
	}
}

// podStatus is the word for how a pod is: the phase, or what is in its way.
func podStatus(o *object.Object) string {
	text := asString(status(o)["phase"])
	if r := asString(status(o)["reason"]); r != "" {
		text = r
	}
	each(status(o)["containerStatuses"], func(_ int, c tree) {
		if r := asString(at(c, "state", "waiting", "reason")); r != "" {
			text = r
		} else if t := asTree(at(c, "state", "terminated")); t != nil {
			if text = asString(t["reason"]); text == "" {
				text = fmt.Sprintf("ExitCode:%d", asInt(t["exitCode"]))
			}
		}
	})
	if o.Meta.DeletionTimestamp != "" && text != "Failed" && text != "Succeeded" {
		return "Terminating"
	}
	return text
}

func readinessGates(o *object.Object) string {
	gates := asList(spec(o)["readinessGates"])
	if len(gates) == 0 {
		return "<none>"
	}
	met := 0
	each(gates, func(_ int, g tree) {
		each(status(o)["conditions"], func(_ int, c tree) {
			if c["type"] == g["conditionType"] && c["status"] == "True" {
				met++
			}
		})
	})
	return fmt.Sprintf("%d/%d", met, len(gates))
}
