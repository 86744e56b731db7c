package kinds

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
)

// podSubresources are the two paths under which a part of a pod's spec can be
// written that is fixed under the pod's own path.
func podSubresources(options Options) map[string]registry.Strategy {
	return map[string]registry.Strategy{
		"ephemeralcontainers": {
			Default: defaultPod, HasGeneration: true,
			PrepareForUpdate: onlyEphemeralContainers,
			ValidateUpdate:   func(o, old *object.Object) field.Errors { return checkEphemeralContainers(o, old, options) },
		},
		"resize": {
			Default: defaultPod, HasGeneration: true,
			PrepareForUpdate: onlyResources,
			ValidateUpdate:   func(o, old *object.Object) field.Errors { return checkResize(o, old, options) },
		},
	}
}

// onlyEphemeralContainers takes nothing else from what the client sent.
//
// Now: pkg/registry/core/pod/strategy.go dropNonEphemeralContainerUpdates
func onlyEphemeralContainers(_ context.Context, o, old *object.Object) error {
	wanted := rules.List(o.Fields, "spec", "ephemeralContainers")
	*o = *old.DeepCopy()
	if wanted == nil {
		delete(rules.Make(o.Fields, "spec"), "ephemeralContainers")
	} else {
		rules.Make(o.Fields, "spec")["ephemeralContainers"] = wanted
	}
	return nil
}

// checkEphemeralContainers: they only come, and stay as they are.
//
// Now: pkg/apis/core/validation/validation.go ValidatePodEphemeralContainersUpdate
func checkEphemeralContainers(o, old *object.Object, options Options) field.Errors {
	if _, mirror := old.Meta.Annotations[mirrorAnnotation]; mirror {
		return field.Errors{field.Forbidden("[]", "static pods do not support ephemeral containers")}
	}
	errs := checkPod(o, options)
	for _, before := range rules.Items(old.Fields, "spec", "ephemeralContainers") {
		name := rules.Text(before, "name")
		now := containerOf(o, "ephemeralContainers", name)
		switch {
		case now == nil:
			errs = append(errs, field.Forbidden("spec.ephemeralContainers", fmt.Sprintf("existing ephemeral containers %q may not be removed\n", name)))
		case !rules.Same(now, before):
			errs = append(errs, field.Forbidden("spec.ephemeralContainers", fmt.Sprintf("existing ephemeral containers %q may not be changed\n%s", name, options.diff("EphemeralContainer", before, now))))
		}
	}
	return errs
}

func containerOf(pod *object.Object, list, name string) tree {
	for _, c := range rules.Items(pod.Fields, "spec", list) {
		if rules.Text(c, "name") == name {
			return c
		}
	}
	return nil
}

// onlyResources takes the resources of containers and nothing else from what
// the client sent.
//
// Now: pkg/registry/core/pod/strategy.go dropNonResizeUpdates
func onlyResources(_ context.Context, o, old *object.Object) error {
	wanted := *o
	*o = *old.DeepCopy()
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range rules.Items(o.Fields, "spec", list) {
			sidecar := rules.Text(c, "restartPolicy") == "Always"
			if w := containerOf(&wanted, list, rules.Text(c, "name")); w != nil && (list == "containers" || sidecar) {
				rules.Put(c, w, "resources")
				rules.Put(c, w, "resizePolicy")
			}
		}
	}
	return nil
}

// checkResize: how much cpu and memory a container has may change, as long as
// the pod keeps its class.
//
// Now: pkg/apis/core/validation/validation.go ValidatePodResize
func checkResize(o, old *object.Object, options Options) field.Errors {
	switch _, mirror := old.Meta.Annotations[mirrorAnnotation]; {
	case mirror:
		return field.Errors{field.Forbidden("[]", "static pods cannot be resized")}
	case rules.Text(old.Fields, "spec", "os", "name") == "windows":
		return field.Errors{field.Forbidden("[]", "windows pods cannot be resized")}
	}
	errs := checkPod(o, options)
	is, was := spec(o), spec(old)
	if class := qosClass(was); qosClass(is) != class {
		errs = append(errs, field.Invalid("metadata", class, "Pod QOS Class may not change as a result of resizing"))
	}
	if !resizable(old) {
		errs = append(errs, field.Forbidden("spec", "Pod running on node without support for resize"))
	}
	rest := maps.Clone(is)
	for _, list := range []string{"containers", "initContainers"} {
		before := rules.List(was, list)
		for i, c := range rules.Items(is, list) {
			errs = append(errs, checkResized(rules.Index("spec."+list, i)+".resources", rules.Map(c, "resources"), rules.Map(before[i].(tree), "resources"))...)
		}
		if len(before) > 0 {
			rest[list] = withSizesOf(rules.List(is, list), before)
		}
	}
	if !rules.Same(rest, was) {
		errs = append(errs, field.Forbidden("spec", "only cpu and memory resources are mutable\n"+options.diff("PodSpec", was, rest)))
	}
	return errs
}

// resizable: a node that resizes pods says what its containers have.
func resizable(pod *object.Object) bool {
	for _, c := range rules.Items(pod.Fields, "status", "containerStatuses") {
		if rules.Get(c, "state", "running") != nil {
			return c["resources"] != nil
		}
	}
	return true
}

// checkResized: an amount may change, but not be taken away.
func checkResized(at string, is, was tree) (errs field.Errors) {
	for _, kind := range []string{"requests", "limits"} {
		removed := func(name string) bool { return rules.Get(was, kind, name) != nil && rules.Get(is, kind, name) == nil }
		if slices.ContainsFunc(rules.Keys(rules.Map(was, kind)), removed) {
			errs = append(errs, field.Forbidden(rules.Join(at, kind), "resource "+kind+" cannot be removed"))
		}
	}
	return errs
}

// withSizesOf is a list of containers with the cpu and memory of another one.
func withSizesOf(list, other []any) []any {
	out := object.CopyTree(list).([]any)
	for i := range out {
		c, _ := out[i].(tree)
		from, _ := other[i].(tree)
		for _, kind := range []string{"requests", "limits"} {
			was := rules.Map(from, "resources", kind)
			if rules.Get(c, "resources", kind) == nil && was == nil {
				continue
			}
			amounts := rules.Make(c, "resources", kind)
			rules.Put(amounts, was, "cpu")
			rules.Put(amounts, was, "memory")
			if len(amounts) == 0 {
				delete(rules.Map(c, "resources"), kind)
			}
		}
	}
	return out
}
