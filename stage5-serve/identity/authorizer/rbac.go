package authorizer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// Role is a ClusterRole, or with a namespace a Role.
//
// Upstream: pkg/apis/rbac/v1beta1/types.go ClusterRole
// Now: staging/src/k8s.io/api/rbac/v1/types.go ClusterRole
type Role struct {
	Namespace, Name string
	Rules           []PolicyRule
}

// Binding is a ClusterRoleBinding, or with a namespace a RoleBinding: it gives
// a role to subjects, everywhere or in that namespace.
//
// Upstream: pkg/apis/rbac/v1beta1/types.go ClusterRoleBinding
// Now: staging/src/k8s.io/api/rbac/v1/types.go ClusterRoleBinding
type Binding struct {
	Namespace, Name string
	RoleRef         RoleRef
	Subjects        []Subject
}

// RoleRef names a role. One of kind Role is in the binding's namespace.
//
// Upstream: pkg/apis/rbac/v1beta1/types.go RoleRef
// Now: staging/src/k8s.io/api/rbac/v1/types.go RoleRef
type RoleRef struct{ Kind, Name string }

// Subject is whom a role is given to: a User, a Group or a ServiceAccount.
//
// Upstream: pkg/apis/rbac/v1beta1/types.go Subject
// Now: staging/src/k8s.io/api/rbac/v1/types.go Subject
type Subject struct{ Kind, Namespace, Name string }

// Policy is where roles and bindings come from. For those of the whole cluster
// the namespace is empty.
//
// Upstream: pkg/registry/rbac/validation/rule.go AuthorizationRuleResolver
type Policy interface {
	Bindings(ctx context.Context, namespace string) ([]Binding, error)
	Role(ctx context.Context, namespace, name string) (Role, error)
}

// RBAC allows what a rule of some role allows that is bound to the user. It
// never denies: what no rule allows, another authorizer may.
//
// Upstream: plugin/pkg/auth/authorizer/rbac/rbac.go RBACAuthorizer
type RBAC struct{ Policy Policy }

// Authorize is part of Authorizer. A binding whose role cannot be read gives
// nobody anything and hinders nobody who has another: it is told in the reason.
func (r RBAC) Authorize(ctx context.Context, a Attributes) (Decision, string, error) {
	var unread []error
	for _, namespace := range scopes(a.Namespace) {
		bindings, err := r.Policy.Bindings(ctx, namespace)
		if err != nil {
			unread = append(unread, err)
		}
		for _, b := range bindings {
			allowed, subject, err := r.through(ctx, b, a)
			if err != nil {
				unread = append(unread, err)
			}
			if allowed {
				return Allow, fmt.Sprintf("RBAC: allowed by %s of %s %q to %s", b, b.RoleRef.Kind, b.RoleRef.Name, subject), nil
			}
		}
	}
	return NoOpinion, reason(unread), nil
}

// through asks one binding, and says which of its subjects the user is.
func (r RBAC) through(ctx context.Context, b Binding, a Attributes) (allowed bool, as Subject, err error) {
	i := slices.IndexFunc(b.Subjects, func(s Subject) bool { return s.in(b.Namespace).is(a.User) })
	if i < 0 {
		return false, Subject{}, nil
	}
	role, err := r.Role(ctx, b)
	if err != nil {
		return false, Subject{}, err
	}
	allowed = slices.ContainsFunc(role.Rules, func(rule PolicyRule) bool { return rule.Allows(a) })
	return allowed, b.Subjects[i].in(b.Namespace), nil
}

// scopes are where bindings are looked for: those of the cluster hold in every
// namespace, and alone where there is none.
func scopes(namespace string) []string {
	if namespace == "" {
		return []string{""}
	}
	return []string{"", namespace}
}

// Role is the role that a binding gives.
//
// Upstream: pkg/registry/rbac/validation/rule.go GetRoleReferenceRules
func (r RBAC) Role(ctx context.Context, b Binding) (Role, error) {
	switch {
	case b.RoleRef.Kind == "ClusterRole":
		return r.Policy.Role(ctx, "", b.RoleRef.Name)
	case b.RoleRef.Kind == "Role" && b.Namespace != "":
		return r.Policy.Role(ctx, b.Namespace, b.RoleRef.Name)
	}
	return Role{}, fmt.Errorf("%s: unsupported role reference kind: %q", b, b.RoleRef.Kind)
}

// in is the subject of a binding in this namespace, where service accounts are
// at home for which none is given.
func (s Subject) in(namespace string) Subject {
	if s.Kind == "ServiceAccount" && s.Namespace == "" {
		s.Namespace = namespace
	}
	return s
}

// is says whether the user is meant.
//
// Upstream: pkg/registry/rbac/validation/rule.go appliesToUser
func (s Subject) is(user request.User) bool {
	switch s.Kind {
	case "User":
		return user.Name == s.Name
	case "Group":
		return slices.Contains(user.Groups, s.Name)
	case "ServiceAccount":
		return s.Namespace != "" && user.Name == "system:serviceaccount:"+s.Namespace+":"+s.Name
	}
	return false
}

func (s Subject) String() string {
	if s.Kind == "ServiceAccount" {
		return fmt.Sprintf("%s %q", s.Kind, s.Name+"/"+s.Namespace)
	}
	return fmt.Sprintf("%s %q", s.Kind, s.Name)
}

func (b Binding) String() string {
	if b.Namespace == "" {
		return fmt.Sprintf("ClusterRoleBinding %q", b.Name)
	}
	return fmt.Sprintf("RoleBinding %q", b.Name+"/"+b.Namespace)
}

// reason tells what could not be read.
func reason(errs []error) string {
	if text := list(errs); text != "" {
		return "RBAC: " + text
	}
	return ""
}

// list is the form of upstream's lists of errors.
func list(errs []error) string {
	var texts []string
	for _, err := range errs {
		if !slices.Contains(texts, err.Error()) {
			texts = append(texts, err.Error())
		}
	}
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
