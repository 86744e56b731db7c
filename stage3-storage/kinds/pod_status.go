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
// Upstream: pkg/api/validation/validation.go ValidatePodStatusUpdate
func checkPodStatus(o, old *object.Object) field.Errors {
	is, was := status(o), status(old)
	errs := checkAnnotationUpdates(o.Meta.Annotations, old.Meta.Annotations)
	errs = append(errs, rules.Each(podCondition)("metadata.conditions", is["conditions"])...) // upstream's path
	if !rules.Same(is["nominatedNodeName"], was["nominatedNodeName"]) {
		errs = append(errs, rules.Subdomain("status.nominatedNodeName", is["nominatedNodeName"])...)
	}
	errs = append(errs, immutable("status", is, was, "qosClass")...)
	for _, list := range []string{"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"} {
		errs = append(errs, checkTransitions(list, o, old)...)
	}
	errs = append(errs, checkClaimStatuses(o)...)
	errs = append(errs, checkAddresses("status.podIPs", rules.List(is, "podIPs"))...)
	if hosts := rules.List(is, "hostIPs"); len(hosts) > 0 {
		first, _ := hosts[0].(tree)
		if ip := rules.Text(first, "ip"); ip != rules.Text(is, "hostIP") {
			errs = append(errs, field.Invalid("status.hostIPs[0].ip", ip, "must be equal to `hostIP`"))
		}
		errs = append(errs, checkAddresses("status.hostIPs", hosts)...)
	}
	return append(errs, checkUsers(o)...)
}

func podCondition(at string, v any) field.Errors {
	t, _ := v.(tree)
	if slices.Contains([]string{"PodScheduled", "Ready", "Initialized"}, rules.Text(t, "type")) {
		return nil
	}
	return rules.LabelKey(at+".Type", t["type"]) // upstream's path
}

// checkAddresses: one address of each family.
//
// Now: pkg/apis/core/validation/validation.go validatePodIPs
func checkAddresses(at string, list []any) (errs field.Errors) {
	var ips []string
	for i, v := range list {
		t, _ := v.(tree)
		ip := rules.Text(t, "ip")
		errs = append(errs, rules.Strictly(rules.IP)(rules.Index(at, i), ip)...)
		ips = append(ips, ip)
	}
	if len(ips) > 2 || len(ips) == 2 && familyOf(ips[0]) == familyOf(ips[1]) {
		shown := make([]any, len(ips))
		for i, ip := range ips {
			shown[i] = struct{ IP string }{ip} // as upstream shows it
		}
		errs = append(errs, field.Invalid(at, shown, "may specify no more than one IP for each IP family"))
	}
	return errs
}

// checkClaimStatuses: what is said of claims is said of the pod's claims.
//
// Now: pkg/apis/core/validation/validation.go validatePodResourceClaimStatuses
func checkClaimStatuses(o *object.Object) (errs field.Errors) {
	claims, seen := map[string]bool{}, map[string]bool{}
	for _, c := range rules.Items(spec(o), "resourceClaims") {
		claims[rules.Text(c, "name")] = true
	}
	for i, c := range rules.Items(status(o), "resourceClaimStatuses") {
		at, name := rules.Index("status.resourceClaimStatuses", i)+".name", rules.Text(c, "name")
		if !claims[name] {
			errs = append(errs, field.Invalid(at, name, "must match the name of an entry in `spec.resourceClaims`"))
		}
		if seen[name] {
			errs = append(errs, field.Duplicate(at, name))
		}
		seen[name] = true
		errs = append(errs, rules.Subdomain(at, c["resourceClaimName"])...)
	}
	return errs
}

// checkUsers: the numbers under which containers run.
//
// Now: pkg/apis/core/validation/validation.go validateContainerStatusUsers
func checkUsers(o *object.Object) (errs field.Errors) {
	linux := rules.Fields{{Name: "uid", Check: id}, {Name: "gid", Check: id}, {Name: "supplementalGroups", Check: rules.Each(id)}}
	for _, list := range []string{"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"} {
		for i, c := range rules.Items(status(o), list) {
			user, at := rules.Map(c, "user", "linux"), rules.Index("status."+list, i)+".linux"
			if user != nil && rules.Text(spec(o), "os", "name") == "windows" {
				errs = append(errs, field.Forbidden(at, "cannot be set for a windows pod"))
				continue
			}
			errs = append(errs, linux.Check(at, user)...)
		}
	}
	return errs
}

// checkTransitions: a container that has ended for good does not run again.
//
// Now: pkg/apis/core/validation/validation.go ValidateContainerStateTransition
func checkTransitions(list string, o, old *object.Object) (errs field.Errors) {
	policy := rules.Text(spec(old), "restartPolicy")
	if list == "ephemeralContainerStatuses" {
		policy = "Never"
	}
	if policy == "Always" {
		return nil
	}
	own := map[string]bool{} // those with a policy of their own
	for _, c := range (&podSpec{tree: spec(old)}).everyContainer("") {
		own[rules.Text(c, "name")] = c["restartPolicy"] != nil || len(rules.List(c, "restartPolicyRules")) > 0
	}
	for i, before := range rules.Items(status(old), list) {
		ended, name := rules.Map(before, "state", "terminated"), rules.Text(before, "name")
		if ended == nil || own[name] || policy == "OnFailure" && rules.Int(ended, "exitCode") != 0 {
			continue
		}
		for _, now := range rules.Items(status(o), list) {
			if rules.Text(now, "name") == name && rules.Get(now, "state", "terminated") == nil {
				at := rules.Index("status."+list, i) + ".state"
				errs = append(errs, field.Forbidden(at, "may not be transitioned to non-terminated state"))
			}
		}
	}
	return errs
}
