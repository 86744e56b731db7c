package rbac

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// checkRole returns all that is wrong with a role. What is missing is told
// last, as upstream, where a generated function finds it.
//
// Upstream: pkg/apis/rbac/validation/validation.go ValidateRole
func checkRole(namespaced bool) func(*object.Object) field.Errors {
	return func(o *object.Object) field.Errors {
		var errs, missing field.Errors
		for i, r := range rules.Items(o.Fields, "rules") {
			at := rules.Index("rules", i)
			errs = append(errs, checkRule(at, r, namespaced)...)
			missing = append(missing, rules.Required()(rules.Join(at, "verbs"), r["verbs"])...)
		}
		if rule := rules.Map(o.Fields, "aggregationRule"); rule != nil {
			const at = "aggregationRule.clusterRoleSelectors"
			if len(rules.List(rule, "clusterRoleSelectors")) == 0 {
				errs = append(errs, field.Required(at, "at least one clusterRoleSelector required if aggregationRule is non-nil"))
			}
			errs = append(errs, rules.Each(rules.LabelSelector)(at, rule["clusterRoleSelectors"])...)
		}
		return append(errs, missing...)
	}
}

func checkRule(at string, r rules.Tree, namespaced bool) (errs field.Errors) {
	groups, resources, names, urls := rules.List(r, "apiGroups"), rules.List(r, "resources"), rules.List(r, "resourceNames"), rules.List(r, "nonResourceURLs")
	if len(urls) > 0 {
		if namespaced {
			errs = append(errs, field.Invalid(rules.Join(at, "nonResourceURLs"), urls, "namespaced rules cannot apply to non-resource URLs"))
		}
		if len(groups)+len(resources)+len(names) > 0 {
			errs = append(errs, field.Invalid(rules.Join(at, "nonResourceURLs"), urls, "rules cannot apply to both regular resources and non-resource URLs"))
		}
		return errs
	}
	if len(groups) == 0 {
		errs = append(errs, field.Required(rules.Join(at, "apiGroups"), "resource rules must supply at least one api group"))
	}
	if len(resources) == 0 {
		errs = append(errs, field.Required(rules.Join(at, "resources"), "resource rules must supply at least one resource"))
	}
	return errs
}

// checkBinding returns all that is wrong with a binding, in the same order.
//
// Upstream: pkg/apis/rbac/validation/validation.go ValidateRoleBinding
func checkBinding(namespaced bool) func(*object.Object) field.Errors {
	return func(o *object.Object) field.Errors { return bindingErrors(o, namespaced, nil) }
}

// checkBindingUpdate: a binding that is to give another role is another binding.
//
// Upstream: pkg/apis/rbac/validation/validation.go ValidateRoleBindingUpdate
func checkBindingUpdate(namespaced bool) func(o, old *object.Object) field.Errors {
	return func(o, old *object.Object) field.Errors {
		if rules.Same(o.Fields["roleRef"], old.Fields["roleRef"]) {
			return bindingErrors(o, namespaced, nil)
		}
		ref := rules.Map(o.Fields, "roleRef")
		return bindingErrors(o, namespaced, field.Errors{field.Invalid("roleRef", struct{ APIGroup, Kind, Name string }{
			rules.Text(ref, "apiGroup"), rules.Text(ref, "kind"), rules.Text(ref, "name"),
		}, "field is immutable")})
	}
}

func bindingErrors(o *object.Object, namespaced bool, changed field.Errors) field.Errors {
	kinds := []string{"ClusterRole"}
	if namespaced {
		kinds = []string{"Role", "ClusterRole"}
	}
	ref := rules.Map(o.Fields, "roleRef")
	errs := append(only("roleRef", ref, "apiGroup", group), only("roleRef", ref, "kind", kinds...)...)
	errs = append(errs, rules.Words(metadata.PathSegment)("roleRef.name", ref["name"])...)
	var missing field.Errors
	for i, s := range rules.Items(o.Fields, "subjects") {
		at := rules.Index("subjects", i)
		errs = append(errs, checkSubject(at, s, namespaced)...)
		missing = append(missing, rules.Required()(rules.Join(at, "name"), s["name"])...)
	}
	errs = append(append(errs, missing...), changed...)
	if len(changed) == 0 {
		errs = append(errs, rules.Required()("roleRef.name", ref["name"])...)
	}
	return errs
}

// checkSubject checks who is given a role.
//
// Upstream: pkg/apis/rbac/validation/validation.go validateRoleBindingSubject
func checkSubject(at string, s rules.Tree, namespaced bool) (errs field.Errors) {
	switch rules.Text(s, "kind") {
	case "ServiceAccount":
		errs = rules.Words(metadata.DNSSubdomain)(rules.Join(at, "name"), s["name"])
		errs = append(errs, only(at, s, "apiGroup", "")...)
		if !namespaced && rules.Text(s, "namespace") == "" {
			errs = append(errs, field.Required(rules.Join(at, "namespace"), ""))
		}
		return errs
	case "User", "Group":
		return only(at, s, "apiGroup", group)
	}
	return only(at, s, "kind", "ServiceAccount", "User", "Group")
}

// only wants one of a few values, of which one may be "", in a field of t.
func only(at string, t rules.Tree, name string, allowed ...string) field.Errors {
	if v := rules.Text(t, name); !slices.Contains(allowed, v) {
		return field.Errors{field.NotSupported(rules.Join(at, name), v, allowed...)}
	}
	return nil
}
