package kinds

import (
	"context"
	"strconv"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
)

func pods(options Options) Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: all(row("pods", "pod", "Pod", "pods", true, "po")),
			Strategy: registry.Strategy{
				KeepOld:          []string{"status"},
				HasGeneration:    true,
				ReturnDeleted:    true,
				Default:          defaultPod,
				PrepareForCreate: newPodStatus,
				Validate:         func(o *object.Object) field.Errors { return checkPodCreate(o, options) },
				ValidateUpdate:   func(o, old *object.Object) field.Errors { return checkPodUpdate(o, old, options) },
				Warnings:         podWarningsOf,
				GracePeriod:      podGrace,
				Field:            selectable(podFields),
			},
			Status: &registry.Strategy{
				OnlyNew:          []string{"status"},
				Default:          defaultPodStatus,
				PrepareForUpdate: keepPodFacts,
				ValidateUpdate:   checkPodStatus,
			},
			Sub: podSubresources(options),
		},
		Columns:    podColumns(),
		Conditions: ended,
	}
}

var podFields = map[string]func(*object.Object) string{
	"spec.nodeName":            text("spec", "nodeName"),
	"spec.restartPolicy":       text("spec", "restartPolicy"),
	"spec.schedulerName":       text("spec", "schedulerName"),
	"spec.serviceAccountName":  text("spec", "serviceAccountName"),
	"spec.hostNetwork":         func(o *object.Object) string { return strconv.FormatBool(rules.Bool(o.Fields, "spec", "hostNetwork")) },
	"status.phase":             text("status", "phase"),
	"status.podIP":             func(o *object.Object) string { return podIP(o) },
	"status.podIPs":            func(o *object.Object) string { return podIP(o) },
	"status.nominatedNodeName": text("status", "nominatedNodeName"),
}

func podIP(o *object.Object) string {
	for _, ip := range rules.Items(o.Fields, "status", "podIPs") {
		return rules.Text(ip, "ip")
	}
	return ""
}

// newPodStatus: a new pod waits, whatever its author says.
//
// Upstream: pkg/registry/core/pod/strategy.go PrepareForCreate
func newPodStatus(ctx context.Context, o *object.Object) error {
	mergeLabelKeys(o)
	profilesFromAnnotations(ctx, o)
	s := tree{"phase": "Pending", "qosClass": qosClass(spec(o))}
	if len(rules.List(o.Fields, "spec", "schedulingGates")) > 0 {
		s["conditions"] = []any{tree{
			"type": "PodScheduled", "status": "False", "lastProbeTime": nil, "lastTransitionTime": nil,
			"reason": "SchedulingGated", "message": "Scheduling is blocked due to non-empty scheduling gates",
		}}
	}
	o.Fields["status"] = s
	return nil
}

// qosClass says which pods go first when a node runs short: those that asked
// for nothing first, those that use no more than they asked for last.
//
// Upstream: pkg/api/v1/helper/qos/qos.go GetPodQOS
func qosClass(s tree) string {
	const best, burst, sure = "BestEffort", "Burstable", "Guaranteed"
	class := ""
	for _, list := range []string{"initContainers", "containers"} {
		for _, c := range rules.Items(s, list) {
			of := classOf(rules.Map(c, "resources"))
			if class == "" {
				class = of
			}
			if of == burst || of != class {
				return burst
			}
		}
	}
	if class == sure {
		return sure
	}
	return best
}

// classOf is the class of one container.
func classOf(resources tree) string {
	equal, set := 0, 0
	for _, name := range []string{"cpu", "memory"} {
		asked, isAsked := rules.Quantity(rules.Get(resources, "requests", name))
		most, isLimited := rules.Quantity(rules.Get(resources, "limits", name))
		isAsked, isLimited = isAsked && asked.Sign() != 0, isLimited && most.Sign() != 0
		if isAsked || isLimited {
			set++
		}
		if isAsked && isLimited && asked.Cmp(most) == 0 {
			equal++
		}
	}
	switch {
	case set == 0:
		return "BestEffort"
	case equal == 2:
		return "Guaranteed"
	}
	return "Burstable"
}

// podGrace is how long a deleted pod stays: a node is to end it first, so one
// that is on no node, or has ended, goes at once.
//
// Upstream: pkg/registry/core/pod/strategy.go CheckGracefulDelete
func podGrace(o *object.Object, asked *int64) int64 {
	phase := rules.Text(o.Fields, "status", "phase")
	if rules.Text(o.Fields, "spec", "nodeName") == "" || phase == "Failed" || phase == "Succeeded" {
		return 0
	}
	period := rules.Int(o.Fields, "spec", "terminationGracePeriodSeconds")
	if asked != nil {
		period = *asked
	}
	if period < 0 {
		return 1
	}
	return period
}
