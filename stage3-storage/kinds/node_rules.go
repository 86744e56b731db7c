package kinds

import (
	"encoding/json"
	"fmt"
	"regexp"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// Annotations of a node that mean something. The first has a field by now, and
// nobody reads the other one any more.
const (
	taintsAnnotation = "scheduler.alpha.kubernetes.io/taints"
	avoidAnnotation  = "scheduler.alpha.kubernetes.io/preferAvoidPods"
)

// checkNodeAnnotations checks the annotations that mean something.
//
// Upstream: pkg/api/validation/validation.go ValidateNodeSpecificAnnotations
func checkNodeAnnotations(annotations map[string]string) (errs field.Errors) {
	const at = "metadata.annotations"
	if text := annotations[taintsAnnotation]; text != "" {
		var taints []struct{ Key, Value, Effect string }
		if err := json.Unmarshal([]byte(text), &taints); err != nil {
			errs = append(errs, field.Invalid(at, taintsAnnotation, err.Error()))
		}
		var list []any
		for _, t := range taints {
			list = append(list, given(tree{"key": t.Key, "value": t.Value, "effect": t.Effect}))
		}
		errs = append(errs, checkTaints(rules.Join(at, taintsAnnotation), list)...)
	}
	if text := annotations[avoidAnnotation]; text != "" {
		errs = append(errs, checkAvoided(at, text)...)
	}
	return errs
}

// checkAvoided: a node may say of which controllers it wants no pods.
//
// Upstream: pkg/api/validation/validation.go ValidateAvoidPodsInNodeAnnotations
func checkAvoided(at, text string) (errs field.Errors) {
	var avoided struct {
		PreferAvoidPods []struct {
			PodSignature struct {
				PodController *struct{ Controller bool }
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &avoided); err != nil {
		return field.Errors{field.Invalid(at+".AvoidPods", avoidAnnotation, err.Error())}
	}
	for i, a := range avoided.PreferAvoidPods {
		at := rules.Index(rules.Join(at, avoidAnnotation), i) + ".PodSignature"
		switch controller := a.PodSignature.PodController; {
		case controller == nil:
			errs = append(errs, field.Required(at, ""))
		case !controller.Controller:
			errs = append(errs, field.Invalid(at+".PodController.Controller", false, "must point to a controller"))
		}
	}
	return errs
}

// given is what of a tree is not empty.
func given(t tree) tree {
	for _, k := range rules.Keys(t) {
		if t[k] == "" {
			delete(t, k)
		}
	}
	return t
}

var featureName = regexp.MustCompile(`^[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*$`)

// checkDeclaredFeatures: a node says what it can do, in order and once.
func checkDeclaredFeatures(o *object.Object) (errs field.Errors) {
	const at, longest = "status.declaredFeatures", 253
	features := rules.Texts(o.Fields, "status", "declaredFeatures")
	for i, f := range features {
		wrong := ""
		switch {
		case len(f) > longest:
			wrong = fmt.Sprintf("must be no more than %d characters", longest)
		case !featureName.MatchString(f):
			wrong = "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"
		}
		if wrong != "" {
			errs = append(errs, field.Invalid(rules.Index(at, i), f, fmt.Sprintf("invalid feature name %q: %s", f, wrong)))
		}
		if i+1 == len(features) {
			break
		}
		switch next := features[i+1]; {
		case f == next:
			errs = append(errs, field.Duplicate(rules.Index(at, i+1), next))
		case f > next:
			errs = append(errs, field.Invalid(rules.Index(at, i+1), next, "list must be sorted alphabetically"))
		}
	}
	return errs
}

// checkSwap: who has swap has some of it.
//
// Now: pkg/apis/core/validation/validation.go validateNodeSwapStatus
func checkSwap(o *object.Object) field.Errors {
	n := rules.Get(o.Fields, "status", "nodeInfo", "swap", "capacity")
	if n == nil || rules.IntOf(n) > 0 {
		return nil
	}
	return field.Errors{field.Invalid("metadata.nodeSwapStatus.capacity", n, "must be greater than zero")} // upstream's path
}
