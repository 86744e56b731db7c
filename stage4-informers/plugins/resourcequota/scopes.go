package resourcequota

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
)

// scope narrows a quota down to some objects.
type scope struct {
	Name     string   `json:"scopeName"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

// scopesOf reads both forms in which a quota may have scopes.
func scopesOf(quota *object.Object) (list []scope) {
	for _, name := range rules.Texts(quota.Fields, "spec", "scopes") {
		list = append(list, scope{Name: name, Operator: "Exists"})
	}
	for _, term := range rules.Items(quota.Fields, "spec", "scopeSelector", "matchExpressions") {
		list = append(list, scope{rules.Text(term, "scopeName"), rules.Text(term, "operator"), rules.Texts(term, "values")})
	}
	return list
}

// accepts compares the values that an object has, mostly one or none.
func (s scope) accepts(has ...string) bool {
	has = slices.DeleteFunc(has, func(v string) bool { return v == "" })
	listed := slices.ContainsFunc(has, func(v string) bool { return slices.Contains(s.Values, v) })
	switch s.Operator {
	case "In":
		return listed
	case "NotIn":
		return !listed
	case "DoesNotExist":
		return len(has) == 0
	}
	return len(has) > 0
}

// podInScope says whether a quota with this scope is about a pod.
//
// Upstream: pkg/quota/evaluator/core/pods.go podMatchesScopeFunc
func podInScope(s scope, pod *object.Object) bool {
	spec := rules.Map(pod.Fields, "spec")
	switch s.Name {
	case "Terminating":
		return spec["activeDeadlineSeconds"] != nil
	case "NotTerminating":
		return spec["activeDeadlineSeconds"] == nil
	case "BestEffort":
		return rules.Text(pod.Fields, "status", "qosClass") == "BestEffort"
	case "NotBestEffort":
		return rules.Text(pod.Fields, "status", "qosClass") != "BestEffort"
	case "PriorityClass":
		return s.accepts(rules.Text(spec, "priorityClassName"))
	case "CrossNamespacePodAffinity":
		return crossesNamespaces(rules.Map(spec, "affinity"))
	}
	return false
}

// crossesNamespaces: whoever wants to be near to, or away from, pods of other
// namespaces can keep those from being scheduled.
func crossesNamespaces(affinity rules.Tree) bool {
	for _, kind := range []string{"podAffinity", "podAntiAffinity"} {
		for _, term := range rules.Items(affinity, kind, "requiredDuringSchedulingIgnoredDuringExecution") {
			if namesOthers(term) {
				return true
			}
		}
		for _, term := range rules.Items(affinity, kind, "preferredDuringSchedulingIgnoredDuringExecution") {
			if namesOthers(rules.Map(term, "podAffinityTerm")) {
				return true
			}
		}
	}
	return false
}

func namesOthers(term rules.Tree) bool {
	return len(rules.List(term, "namespaces")) > 0 || term["namespaceSelector"] != nil
}

// claimInScope says whether a quota with this scope is about a claim.
func claimInScope(s scope, claim *object.Object) bool {
	return s.Name == "VolumeAttributesClass" && s.accepts(
		rules.Text(claim.Fields, "spec", "volumeAttributesClassName"), rules.Text(claim.Fields, "status", "currentVolumeAttributesClassName"))
}
