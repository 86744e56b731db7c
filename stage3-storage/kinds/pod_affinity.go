package kinds

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
)

const (
	required  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferred = "preferredDuringSchedulingIgnoredDuringExecution"
)

// affinity says which nodes, and near which pods, a pod wants to be.
//
// Upstream: pkg/apis/core/validation/validation.go validateAffinity
var affinity = rules.Fields{
	{Name: "nodeAffinity", Check: rules.Fields{
		{Name: required, Check: nodeSelector},
		{Name: preferred, Check: rules.Each(rules.Fields{
			{Name: "weight", Check: weight},
			{Name: "preference", Check: nodeTerm(false).Check},
		}.Check)},
	}.Check},
	{Name: "podAffinity", Check: podAffinity.Check},
	{Name: "podAntiAffinity", Check: podAffinity.Check},
}

var podAffinity = rules.Fields{
	{Name: required, Check: rules.Each(podTerm.Check)},
	{Name: preferred, Check: rules.Each(rules.Fields{
		{Name: "weight", Check: weight},
		{Name: "podAffinityTerm", Check: podTerm.Check},
	}.Check)},
}

var podTerm = rules.Fields{
	{Name: "labelSelector", Check: rules.LabelSelector},
	{Name: "namespaceSelector", Check: rules.LabelSelector},
	{Name: "namespaces", Check: func(at string, v any) (errs field.Errors) {
		for _, ns := range rules.Texts(tree{"": v}, "") {
			for _, p := range registry.DNSLabel(ns) {
				errs = append(errs, field.Invalid(at[:len(at)-1], ns, p)) // upstream's path: namespace
			}
		}
		return errs
	}},
	{Name: "topologyKey", Check: func(at string, v any) field.Errors {
		return append(rules.RequiredAs("can not be empty")(at, v), rules.LabelKey(at, v)...)
	}},
}

func weight(at string, v any) field.Errors {
	if n := rules.Int(tree{"": v}, ""); n < 1 || n > 100 {
		return field.Errors{field.Invalid(at, n, "must be in the range 1-100")}
	}
	return nil
}

// nodeSelector selects nodes: one of the terms has to match.
//
// Upstream: pkg/apis/core/validation/validation.go ValidateNodeSelector
func nodeSelector(at string, v any) field.Errors {
	t, ok := v.(tree)
	if !ok {
		return nil
	}
	return rules.Fields{{
		Name:  "nodeSelectorTerms",
		Check: rules.RequiredAs("must have at least one node selector term", rules.Each(nodeTerm(true).Check)),
	}}.Check(at, t)
}

// nodeTerm is one term. Values that are no label values are let through in
// those that are only preferred.
func nodeTerm(strict bool) rules.Fields {
	return rules.Fields{
		{Name: "matchExpressions", Check: rules.Each(func(at string, v any) field.Errors {
			t, _ := v.(tree)
			errs := rules.Operands(at, t, "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
			errs = append(errs, rules.LabelKey(at+".key", t["key"])...)
			if strict {
				errs = append(errs, rules.LabelValues(at+".values", t["values"])...)
			}
			return errs
		})},
		{Name: "matchFields", Check: rules.Each(nodeField)},
	}
}

// nodeField: the name is the only field of a node that can be asked for.
func nodeField(at string, v any) (errs field.Errors) {
	t, _ := v.(tree)
	switch op := rules.Text(t, "operator"); {
	case op != "In" && op != "NotIn":
		errs = append(errs, field.Invalid(at+".operator", op, "not a valid selector operator"))
	case len(rules.List(t, "values")) != 1:
		errs = append(errs, field.Required(at+".values", "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
	}
	if key := rules.Text(t, "key"); key != "metadata.name" {
		return append(errs, field.Invalid(at+".key", key, "not a valid field selector key"))
	}
	return append(errs, rules.Each(rules.Subdomain)(at+".values", t["values"])...)
}

// spreadConstraint spreads pods evenly.
//
// Upstream: pkg/apis/core/validation/validation.go validateTopologySpreadConstraints
func spreadConstraint(at string, v any) (errs field.Errors) {
	t, _ := v.(tree)
	if n := rules.Int(t, "maxSkew"); n <= 0 {
		errs = append(errs, field.Invalid(at+".maxSkew", n, "must be greater than zero"))
	}
	errs = append(errs, rules.RequiredAs("can not be empty")(at+".topologyKey", t["topologyKey"])...)
	when := rules.Text(t, "whenUnsatisfiable")
	if !slices.Contains([]string{"DoNotSchedule", "ScheduleAnyway"}, when) {
		errs = append(errs, field.NotSupported(at+".whenUnsatisfiable", when, "DoNotSchedule", "ScheduleAnyway"))
	}
	if least := t["minDomains"]; least != nil {
		if rules.Int(t, "minDomains") <= 0 {
			errs = append(errs, field.Invalid(at+".minDomains", least, "must be greater than zero"))
		}
		if when != "DoNotSchedule" {
			errs = append(errs, field.Invalid(at+".minDomains", least, "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "+when))
		}
	}
	return append(errs, rules.Fields{
		{Name: "nodeAffinityPolicy", Check: rules.OneOf("Honor", "Ignore")},
		{Name: "nodeTaintsPolicy", Check: rules.OneOf("Honor", "Ignore")},
		{Name: "labelSelector", Check: rules.LabelSelector},
	}.Check(at, t)...)
}
