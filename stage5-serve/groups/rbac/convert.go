package rbac

import (
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

const (
	group      = "rbac.authorization.k8s.io"
	apiVersion = group + "/v1"
)

// roleOf reads a Role or a ClusterRole.
func roleOf(o *object.Object) authorizer.Role {
	r := authorizer.Role{Namespace: o.Meta.Namespace, Name: o.Meta.Name}
	for _, t := range rules.Items(o.Fields, "rules") {
		r.Rules = append(r.Rules, authorizer.PolicyRule{
			Verbs: rules.Texts(t, "verbs"), APIGroups: rules.Texts(t, "apiGroups"), Resources: rules.Texts(t, "resources"),
			ResourceNames: rules.Texts(t, "resourceNames"), NonResourceURLs: rules.Texts(t, "nonResourceURLs"),
		})
	}
	return r
}

// bindingOf reads a RoleBinding or a ClusterRoleBinding.
func bindingOf(o *object.Object) authorizer.Binding {
	b := authorizer.Binding{Namespace: o.Meta.Namespace, Name: o.Meta.Name, RoleRef: authorizer.RoleRef{
		Kind: rules.Text(o.Fields, "roleRef", "kind"), Name: rules.Text(o.Fields, "roleRef", "name"),
	}}
	for _, t := range rules.Items(o.Fields, "subjects") {
		b.Subjects = append(b.Subjects, authorizer.Subject{Kind: rules.Text(t, "kind"), Namespace: rules.Text(t, "namespace"), Name: rules.Text(t, "name")})
	}
	return b
}

// ruleTree is the opposite for one rule.
func ruleTree(r authorizer.PolicyRule) map[string]any {
	t := map[string]any{}
	for name, values := range map[string][]string{
		"verbs": r.Verbs, "apiGroups": r.APIGroups, "resources": r.Resources, "resourceNames": r.ResourceNames, "nonResourceURLs": r.NonResourceURLs,
	} {
		if len(values) > 0 {
			t[name] = rules.ListOf(values)
		}
	}
	return t
}

func subjectTree(s authorizer.Subject) map[string]any {
	t := map[string]any{"kind": s.Kind, "name": s.Name}
	if s.Kind == "ServiceAccount" {
		t["namespace"] = s.Namespace
	} else {
		t["apiGroup"] = group
	}
	return t
}
