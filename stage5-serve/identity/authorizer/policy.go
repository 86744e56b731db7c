package authorizer

import (
	"context"
	"slices"

	"example.com/kube-apiserver/stage3-storage/object/status"
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
