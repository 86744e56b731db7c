package kinds

import (
	"context"
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// keepPodFacts: whoever reports how a pod is changes neither its owners nor its class.
//
// Upstream: pkg/registry/core/pod/strategy.go podStatusStrategy
func keepPodFacts(_ context.Context, o, old *object.Object) error {
	o.Meta.OwnerReferences = slices.Clone(old.Meta.OwnerReferences)
	s := rules.Make(o.Fields, "status")
	if rules.Text(s, "qosClass") == "" {
		rules.Put(s, status(old), "qosClass")
	}
	return nil
}

// checkPodStatus returns all that is wrong with the status of a pod.
//
// Upstream: pkg/apis/core/validation/validation.go ValidatePodStatusUpdate
func checkPodStatus(o, old *object.Object) field.Errors {
	is, was := status(o), status(old)
	errs := podStatus.Check("status", is)
	errs = append(errs, immutable("status", is, was, "qosClass")...)
	for _, list := range []string{"containerStatuses", "initContainerStatuses"} {
		errs = append(errs, checkTransitions(list, o, old)...)
	}
	return errs
}

var podStatus = rules.Fields{
	{Name: "conditions", Check: rules.Each(func(at string, v any) field.Errors {
		t, _ := v.(tree)
		if slices.Contains([]string{"PodScheduled", "Ready", "Initialized"}, rules.Text(t, "type")) {
			return nil
		}
		return rules.LabelKey(at+".Type", t["type"]) // upstream's path
	})},
	{Name: "nominatedNodeName", Check: rules.Subdomain},
	{Name: "podIPs", Check: rules.Each(addressOf)},
	{Name: "hostIPs", Check: rules.Each(addressOf)},
}

func addressOf(at string, v any) field.Errors {
	t, _ := v.(tree)
	return rules.Required(rules.Words(rules.IP))(at, t["ip"])
}

// checkTransitions: a container that has ended for good does not run again.
//
// Upstream: pkg/apis/core/validation/validation.go ValidateContainerStateTransition
func checkTransitions(list string, o, old *object.Object) (errs field.Errors) {
	policy := rules.Text(spec(old), "restartPolicy")
	if policy == "Always" {
		return nil
	}
	for _, before := range rules.Items(status(old), list) {
		ended := rules.Map(before, "state", "terminated")
		if ended == nil || policy == "OnFailure" && rules.Int(ended, "exitCode") != 0 {
			continue
		}
		for i, now := range rules.Items(status(o), list) {
			if rules.Same(now["name"], before["name"]) && rules.Get(now, "state", "terminated") == nil {
				at := rules.Index("status."+list, i) + ".state"
				errs = append(errs, field.Forbidden(at, "may not be transitioned to non-terminated state"))
			}
		}
	}
	return errs
}
