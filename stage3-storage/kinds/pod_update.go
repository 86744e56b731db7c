package kinds

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

const podChanges = "pod updates may not change fields other than " +
	"`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`," +
	"`spec.tolerations` (only additions to existing tolerations)," +
	"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

// checkPodUpdate refuses changes of what a running pod cannot change. What it
// can change is put back in a copy; the rest must be as it was.
//
// Upstream: pkg/api/validation/validation.go ValidatePodUpdate
func checkPodUpdate(o, old *object.Object, options Options) field.Errors {
	errs := checkPod(o, options)
	errs = append(errs, checkAnnotationUpdates(o.Meta.Annotations, old.Meta.Annotations)...)
	is, was := spec(o), spec(old)
	for _, list := range []string{"containers", "initContainers"} {
		if len(rules.List(is, list)) != len(rules.List(was, list)) {
			return append(errs, field.Forbidden("spec."+list, "pod updates may not add or remove containers"))
		}
	}
	deadline, stop := checkDeadline(is["activeDeadlineSeconds"], was["activeDeadlineSeconds"])
	errs = append(errs, deadline...)
	if stop {
		return errs
	}
	errs = append(errs, checkAdded(rules.List(is, "tolerations"), rules.List(was, "tolerations"))...)
	errs = append(errs, checkGates(is, was)...)

	rest := maps.Clone(is)
	for _, list := range []string{"containers", "initContainers"} {
		rest[list] = withImagesOf(rules.List(is, list), rules.List(was, list))
	}
	for _, name := range []string{"activeDeadlineSeconds", "tolerations", "schedulingGates"} {
		rules.Put(rest, was, name)
	}
	if rules.Int(was, "terminationGracePeriodSeconds") < 0 && rules.Int(is, "terminationGracePeriodSeconds") == 1 {
		rules.Put(rest, was, "terminationGracePeriodSeconds")
	}
	if len(rules.List(was, "schedulingGates")) > 0 {
		errs = append(errs, checkGated(rest, was, options)...)
	}
	if !rules.Same(rest, was) {
		errs = append(errs, field.Forbidden("spec", podChanges+"\n"+options.diff("PodSpec", was, rest)))
	}
	return errs
}

// withImagesOf is a list of containers with the images of another one.
func withImagesOf(list, other []any) []any {
	out := slices.Clone(list)
	for i, c := range list {
		c, ok := c.(tree)
		from, ok2 := other[i].(tree)
		if ok && ok2 {
			c = maps.Clone(c)
			rules.Put(c, from, "image")
			out[i] = c
		}
	}
	return out
}

// checkDeadline: a deadline can come, and come nearer. stop leaves out what
// would only repeat it.
func checkDeadline(is, was any) (errs field.Errors, stop bool) {
	const at = "spec.activeDeadlineSeconds"
	now, before := rules.Int(tree{"": is}, ""), rules.Int(tree{"": was}, "")
	switch {
	case is == nil && was != nil:
		return field.Errors{field.Invalid(at, nil, "must not update from a positive integer to nil value")}, false
	case is == nil:
		return nil, false
	case now < 0 || now > math.MaxInt32:
		return field.Errors{field.Invalid(at, now, fmt.Sprintf("must be between 0 and %d, inclusive", math.MaxInt32))}, true
	case was != nil && now > before:
		return field.Errors{field.Invalid(at, now, "must be less than or equal to previous value")}, true
	}
	return nil, false
}

// checkAdded: tolerations only come; how long one lasts may change.
func checkAdded(is, was []any) field.Errors {
	without := func(v any) tree {
		t, _ := v.(tree)
		t = maps.Clone(t)
		delete(t, "tolerationSeconds")
		return t
	}
	for _, before := range was {
		if !slices.ContainsFunc(is, func(v any) bool { return rules.Same(without(v), without(before)) }) {
			return field.Errors{field.Forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")}
		}
	}
	return nil
}

// checkGates: gates of scheduling only go.
func checkGates(is, was tree) (errs field.Errors) {
	for i, g := range rules.Items(is, "schedulingGates") {
		name := rules.Text(g, "name")
		known := false
		for _, before := range rules.Items(was, "schedulingGates") {
			known = known || before["name"] == name
		}
		if !known {
			at := rules.Index("spec.schedulingGates", i) + ".name"
			errs = append(errs, field.Forbidden(at, "only deletion is allowed, but found new scheduling gate '"+name+"'"))
		}
	}
	return errs
}

// checkGated: a pod that waits at a gate may become pickier about its node. What
// it may change is put back in rest.
func checkGated(rest, was tree, options Options) (errs field.Errors) {
	is := rules.Map(rest, "nodeSelector")
	for k, v := range rules.Map(was, "nodeSelector") {
		if !rules.Same(is[k], v) {
			errs = append(errs, field.Invalid("spec.nodeSelector", is, "only additions to spec.nodeSelector are allowed (no mutations or deletions)"))
			break
		}
	}
	rules.Put(rest, was, "nodeSelector")
	affinity := tree{}
	maps.Copy(affinity, rules.Map(rest, "affinity"))
	errs = append(errs, checkPickier(rules.Map(affinity, "nodeAffinity"), rules.Map(was, "affinity", "nodeAffinity"), options)...)
	rules.Put(affinity, rules.Map(was, "affinity"), "nodeAffinity")
	rest["affinity"] = affinity
	return errs
}

// checkPickier: terms that a node has to meet may only become longer, if there
// were any.
//
// Now: pkg/apis/core/validation/validation.go validateNodeAffinityMutation
func checkPickier(is, was tree, options Options) (errs field.Errors) {
	const at = "spec.affinity.nodeAffinity." + required + ".nodeSelectorTerms"
	before, now := rules.List(was, required, "nodeSelectorTerms"), rules.List(is, required, "nodeSelectorTerms")
	if len(before) == 0 {
		return nil
	}
	if len(before) != len(now) {
		return field.Errors{field.Invalid(at, now, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")}
	}
	for i := range before {
		b, _ := before[i].(tree)
		n, _ := now[i].(tree)
		if !longer(n, b) {
			errs = append(errs, field.Invalid(rules.Index(at, i), options.asGo("NodeSelectorTerm", n), "only additions are allowed (no mutations or deletions)"))
		}
	}
	return errs
}

func longer(is, was tree) bool {
	empty := true
	for _, name := range []string{"matchExpressions", "matchFields"} {
		before, now := rules.List(was, name), rules.List(is, name)
		if len(before) > len(now) || !rules.Same(now[:len(before)], before) {
			return false
		}
		empty = empty && len(before) == 0
	}
	return !empty || rules.Same(is, nil) || rules.Same(is, was) // an empty term selects nothing, and stays so
}
