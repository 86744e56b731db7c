package kinds

import (
	"context"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func resourceQuotas() Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("resourcequotas", "resourcequota", "ResourceQuota", "resourcequotas", true, "quota"),
			Strategy: registry.Strategy{
				KeepOld:       []string{"status"},
				ReturnDeleted: true,
				Default:       defaultQuota,
				PrepareForCreate: func(_ context.Context, o *object.Object) error {
					o.Fields["status"] = tree{}
					return nil
				},
				Validate: checkQuota,
				ValidateUpdate: func(o, old *object.Object) field.Errors {
					errs := checkQuota(o)
					is, was := rules.Texts(o.Fields, "spec", "scopes"), rules.Texts(old.Fields, "spec", "scopes")
					slices.Sort(is)
					slices.Sort(was)
					if !slices.Equal(slices.Compact(is), slices.Compact(was)) {
						errs = append(errs, field.Invalid("spec.scopes", spec(o)["scopes"], "field is immutable"))
					}
					return errs
				},
			},
			Status: &registry.Strategy{
				OnlyNew: []string{"status"},
				Default: defaultQuota,
				ValidateUpdate: func(o, _ *object.Object) field.Errors {
					errs := quotaAmounts("status.hard", rules.Map(o.Fields, "status", "hard"))
					return append(errs, quotaAmounts("status.used", rules.Map(o.Fields, "status", "used"))...)
				},
			},
		},
		Columns: []printers.Column{
			printers.Name,
			{Name: "Request", Type: "string", Text: "Request represents a minimum amount of cpu/memory that a container may consume.", Cell: func(o *object.Object) any { return quotaText(o, false) }},
			{Name: "Limit", Type: "string", Text: "Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.", Cell: func(o *object.Object) any { return quotaText(o, true) }},
			printers.Age,
		},
	}
}

func defaultQuota(o *object.Object) {
	roundUp(rules.Map(o.Fields, "spec", "hard"), rules.Map(o.Fields, "status", "hard"), rules.Map(o.Fields, "status", "used"))
}

// quotaText shows what is used of what may be used: of limits, or of all else.
func quotaText(o *object.Object, limits bool) string {
	var parts []string
	hard := rules.Map(o.Fields, "status", "hard")
	for _, k := range rules.Keys(hard) {
		if strings.HasPrefix(k, "limits.") == limits {
			parts = append(parts, k+": "+or(rules.Text(o.Fields, "status", "used", k), "0")+"/"+rules.Text(hard, k))
		}
	}
	return strings.Join(parts, ", ")
}

// checkQuota returns all that is wrong with a quota.
//
// Upstream: pkg/api/validation/validation.go ValidateResourceQuotaSpec
func checkQuota(o *object.Object) field.Errors {
	s := spec(o)
	hard := rules.Keys(rules.Map(s, "hard"))
	errs := quotaAmounts("spec.hard", rules.Map(s, "hard"))
	scopes := rules.Texts(s, "scopes")
	for _, scope := range scopes {
		errs = append(errs, checkScope("spec.scopes", "spec.scopes", scope, scope, s["scopes"], hard)...)
	}
	errs = append(errs, conflicts("spec.scopes", scopes, s["scopes"])...)

	const at = "spec.scopeSelector.matchExpressions"
	var selected []string
	for _, term := range rules.Items(s, "scopeSelector", "matchExpressions") {
		name := rules.Text(term, "scopeName")
		errs = append(errs, checkScope(at, at+".scopeName", name, name, shownSelector(s), hard)...)
		errs = append(errs, checkScopeTerm(at, name, term)...)
		selected = append(selected, name)
	}
	return append(errs, conflicts(at, selected, s["scopes"])...)
}

// scopes are which resources a scope can count.
var quotaScopes = map[string][]string{
	"BestEffort":                {"pods"},
	"NotBestEffort":             podQuota,
	"Terminating":               podQuota,
	"NotTerminating":            podQuota,
	"PriorityClass":             podQuota,
	"CrossNamespacePodAffinity": podQuota,
	"VolumeAttributesClass":     {"persistentvolumeclaims", "requests.storage"},
}

var podQuota = []string{"pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"}

func checkScope(at, nameAt, scope string, shownName, shown any, hard []string) (errs field.Errors) {
	counted, known := quotaScopes[scope]
	if !known {
		if nameAt == at {
			shownName = shown
		}
		return field.Errors{field.Invalid(nameAt, shownName, "unsupported scope")}
	}
	for _, k := range hard {
		standard := slices.Contains(quotaResources, k) || hugePages(k)
		if standard && !slices.Contains(counted, k) {
			errs = append(errs, field.Invalid(at, shown, "unsupported scope applied to resource"))
		}
	}
	return errs
}

// shownSelector is a selector of scopes as upstream shows it.
func shownSelector(s tree) any {
	type term struct{ ScopeName, Operator, Values any }
	terms := []term{}
	for _, t := range rules.Items(s, "scopeSelector", "matchExpressions") {
		terms = append(terms, term{t["scopeName"], t["operator"], t["values"]})
	}
	return struct{ MatchExpressions []term }{terms}
}

// quotaAmounts checks a list of what may be used.
func quotaAmounts(at string, list tree) (errs field.Errors) {
	for _, k := range rules.Keys(list) {
		path := rules.Key(at, k)
		for _, p := range quotaResource(k) {
			errs = append(errs, field.Invalid(path, k, p))
		}
		errs = append(errs, amount(path, k, list[k])...)
	}
	return errs
}

func checkScopeTerm(at, scope string, term tree) (errs field.Errors) {
	op, values := rules.Text(term, "operator"), rules.List(term, "values")
	_, known := quotaScopes[scope]
	if known && scope != "PriorityClass" && scope != "VolumeAttributesClass" && op != "Exists" {
		errs = append(errs, field.Invalid(at+".operator", op, "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"))
	}
	switch op {
	case "In", "NotIn":
		if len(values) == 0 {
			errs = append(errs, field.Required(at+".values", "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"))
		}
	case "Exists", "DoesNotExist":
		if len(values) > 0 {
			errs = append(errs, field.Invalid(at+".values", values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"))
		}
	default:
		errs = append(errs, field.Invalid(at+".operator", op, "not a valid selector operator"))
	}
	return errs
}

func conflicts(at string, scopes []string, shown any) (errs field.Errors) {
	for _, pair := range [][2]string{{"BestEffort", "NotBestEffort"}, {"Terminating", "NotTerminating"}} {
		if slices.Contains(scopes, pair[0]) && slices.Contains(scopes, pair[1]) {
			errs = append(errs, field.Invalid(at, shown, "conflicting scopes"))
		}
	}
	return errs
}
