package kinds

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

const (
	required  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferred = "preferredDuringSchedulingIgnoredDuringExecution"
)

// affinity says which nodes, and near which pods, a pod wants to be.
//
// Upstream: pkg/api/validation/validation.go validateAffinity
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
	{Name: required, Check: rules.Each(podTerm)},
	{Name: preferred, Check: rules.Each(rules.Fields{
		{Name: "weight", Check: weight},
		{Name: "podAffinityTerm", Check: podTerm},
	}.Check)},
}

// podTerm selects pods, and says what being near them means.
//
// Upstream: pkg/api/validation/validation.go validatePodAffinityTerm
func podTerm(at string, v any) field.Errors {
	t, _ := v.(tree)
	errs := rules.Fields{
		{Name: "labelSelector", Check: rules.LabelSelector},
		{Name: "namespaceSelector", Check: rules.LabelSelector},
	}.Check(at, t)
	for _, ns := range rules.Texts(t, "namespaces") {
		errs = append(errs, rules.Strictly(metadata.DNSLabel)(at+".namespace", ns)...) // upstream's path
	}
	errs = append(errs, labelKeys(at, at, t)...)
	return append(errs, rules.Fields{
		{Name: "topologyKey", Check: rules.All(rules.RequiredAs("can not be empty"), rules.LabelKey)},
	}.Check(at, t)...)
}

// labelKeys: the values of some labels are taken from the pod itself, so that
// the selector has nothing to say of them. both is where a complaint about a
// label that it does speak of belongs.
//
// Now: pkg/apis/core/validation/validation.go ValidateMatchLabelKeysAndMismatchLabelKeys
func labelKeys(at, both string, t tree) (errs field.Errors) {
	match, mismatch := rules.Texts(t, "matchLabelKeys"), rules.Texts(t, "mismatchLabelKeys")
	for _, name := range []string{"matchLabelKeys", "mismatchLabelKeys"} {
		keys := rules.List(t, name)
		if len(keys) > 0 && t["labelSelector"] == nil {
			errs = append(errs, field.Forbidden(rules.Join(at, name), "must not be specified when labelSelector is not set"))
			continue
		}
		errs = append(errs, rules.Each(rules.LabelKey)(rules.Join(at, name), keys)...)
	}
	asked := map[string]bool{}
	for k := range rules.Map(t, "labelSelector", "matchLabels") {
		asked[k] = true
	}
	for _, e := range rules.Items(t, "labelSelector", "matchExpressions") {
		key := rules.Text(e, "key")
		if i := slices.Index(match, key); i >= 0 && asked[key] {
			errs = append(errs, field.Invalid(rules.Index(both, i), key, "exists in both matchLabelKeys and labelSelector"))
		}
		asked[key] = true
	}
	for i, key := range match {
		if slices.Contains(mismatch, key) {
			errs = append(errs, field.Invalid(rules.Index(at+".matchLabelKeys", i), key, "exists in both matchLabelKeys and mismatchLabelKeys"))
		}
	}
	return errs
}

func weight(at string, v any) field.Errors {
	if n := rules.IntOf(v); n < 1 || n > 100 {
		return field.Errors{field.Invalid(at, n, "must be in the range 1-100")}
	}
	return nil
}

// nodeSelector selects nodes: one of the terms has to match.
//
// Upstream: pkg/api/validation/validation.go ValidateNodeSelector
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
	return append(errs, rules.Each(rules.Strictly(metadata.DNSSubdomain))(at+".values", t["values"])...)
}

// spreadConstraints spread pods evenly.
//
// Now: pkg/apis/core/validation/validation.go validateTopologySpreadConstraints
func spreadConstraints(at string, v any) (errs field.Errors) {
	list, _ := v.([]any)
	for i, c := range list {
		t, _ := c.(tree)
		here := rules.Index(at, i)
		errs = append(errs, spreadConstraint(here, t, list[i+1:])...)
		errs = append(errs, spreadLabels(here, t)...)
	}
	return errs
}

// spreadConstraint checks one; later are those after it in the list.
func spreadConstraint(at string, t tree, later []any) (errs field.Errors) {
	if n := rules.Int(t, "maxSkew"); n <= 0 {
		errs = append(errs, field.Invalid(at+".maxSkew", n, "must be greater than zero"))
	}
	key, when := rules.Text(t, "topologyKey"), rules.Text(t, "whenUnsatisfiable")
	errs = append(errs, rules.RequiredAs("can not be empty")(at+".topologyKey", key)...)
	errs = append(errs, rules.MustBe("DoNotSchedule", "ScheduleAnyway")(at+".whenUnsatisfiable", when)...)
	for _, other := range later {
		o, _ := other.(tree)
		if rules.Text(o, "topologyKey") == key && rules.Text(o, "whenUnsatisfiable") == when {
			errs = append(errs, field.Duplicate(at+".{topologyKey, whenUnsatisfiable}", "{"+key+", "+when+"}"))
			break
		}
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
		{Name: "nodeAffinityPolicy", Check: rules.Given(rules.MustBe("Honor", "Ignore"))},
		{Name: "nodeTaintsPolicy", Check: rules.Given(rules.MustBe("Honor", "Ignore"))},
	}.Check(at, t)...)
}

// spreadLabels checks which pods are counted.
//
// Now: pkg/apis/core/validation/validation.go ValidateMatchLabelKeysInTopologySpread
func spreadLabels(at string, t tree) field.Errors {
	errs := labelKeys(at, at+".matchLabelKeys", tree{"matchLabelKeys": t["matchLabelKeys"], "labelSelector": t["labelSelector"]})
	return append(errs, rules.LabelSelector(at+".labelSelector", t["labelSelector"])...)
}

// mergeLabelKeys puts the values of a new pod's own labels into its selectors.
//
// Now: pkg/registry/core/pod/strategy.go applyMatchLabelKeysAndMismatchLabelKeys
func mergeLabelKeys(o *object.Object) {
	merge := func(term tree) {
		selector := rules.Map(term, "labelSelector")
		for _, part := range []struct{ keys, operator string }{{"matchLabelKeys", "In"}, {"mismatchLabelKeys", "NotIn"}} {
			for _, key := range rules.Texts(term, part.keys) {
				if value, there := o.Meta.Labels[key]; there && selector != nil {
					e := tree{"key": key, "operator": part.operator, "values": []any{value}}
					selector["matchExpressions"] = append(rules.List(selector, "matchExpressions"), e)
				}
			}
		}
	}
	for _, kind := range []string{"podAffinity", "podAntiAffinity"} {
		affinity := rules.Map(spec(o), "affinity", kind)
		for _, term := range rules.Items(affinity, required) {
			merge(term)
		}
		for _, p := range rules.Items(affinity, preferred) {
			merge(rules.Map(p, "podAffinityTerm"))
		}
	}
	for _, c := range rules.Items(spec(o), "topologySpreadConstraints") {
		merge(c)
	}
}
