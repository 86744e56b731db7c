package authorizer

import (
	"context"
	"slices"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
)

// Fixed is a Policy that does not change.
type Fixed struct {
	Roles []Role
	Bound []Binding
}

// Bindings is part of Policy.
func (f Fixed) Bindings(_ context.Context, namespace string) ([]Binding, error) {
	var list []Binding
	for _, b := range f.Bound {
		if b.Namespace == namespace {
			list = append(list, b)
		}
	}
	return list, nil
}

// Role is part of Policy.
func (f Fixed) Role(_ context.Context, namespace, name string) (Role, error) {
	i := slices.IndexFunc(f.Roles, func(r Role) bool { return r.Namespace == namespace && r.Name == name })
	if i >= 0 {
		return f.Roles[i], nil
	}
	resource := status.Resource{Group: "rbac.authorization.k8s.io", Name: "clusterrole"}
	if namespace != "" {
		resource.Name = "role"
	}
	return Role{}, status.NotFound(resource, name)
}

// bootstrap has a row for each role that every server starts with: its rules,
// and the groups that a binding of the same name gives it to.
var bootstrap = []struct {
	role   string
	groups []string
	rules  []PolicyRule
}{
	{"cluster-admin", []string{authenticator.SystemPrivilegedGroup}, []PolicyRule{
		{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
		{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
	}},
	{"system:discovery", []string{authenticator.AllAuthenticated}, []PolicyRule{
		{Verbs: []string{"get"}, NonResourceURLs: []string{
			"/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi", "/openapi/*", "/readyz", "/version", "/version/"}},
	}},
	{"system:basic-user", []string{authenticator.AllAuthenticated}, []PolicyRule{
		{Verbs: []string{"create"}, APIGroups: []string{"authorization.k8s.io"}, Resources: []string{"selfsubjectaccessreviews", "selfsubjectrulesreviews"}},
		{Verbs: []string{"create"}, APIGroups: []string{"authentication.k8s.io"}, Resources: []string{"selfsubjectreviews"}},
	}},
	{"system:public-info-viewer", []string{authenticator.AllAuthenticated, authenticator.AllUnauthenticated}, []PolicyRule{
		{Verbs: []string{"get"}, NonResourceURLs: []string{"/healthz", "/livez", "/readyz", "/version", "/version/"}},
	}},
}

// Bootstrap is the policy that every server starts with.
//
// Upstream: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go ClusterRoles
func Bootstrap() Fixed {
	var f Fixed
	for _, row := range bootstrap {
		b := Binding{Name: row.role, RoleRef: RoleRef{"ClusterRole", row.role}}
		for _, group := range row.groups {
			b.Subjects = append(b.Subjects, Subject{Kind: "Group", Name: group})
		}
		f.Roles = append(f.Roles, Role{Name: row.role, Rules: row.rules})
		f.Bound = append(f.Bound, b)
	}
	return f
}
