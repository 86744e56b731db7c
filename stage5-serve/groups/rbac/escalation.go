package rbac

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

// Guard keeps everybody from granting rights that he does not have himself,
// unless he may escalate (roles) or bind (bindings). Authorizer says that; it
// must be set. What a user has is read from the store, where the role that he
// was given a moment ago is already.
//
// Upstream: pkg/registry/rbac/role/policybased/storage.go Storage
type Guard struct {
	Authorizer authorizer.Authorizer
	policy     authorizer.Policy // set when the storages are there
}

// everything is what it takes to gather rights by labels.
var everything = []authorizer.PolicyRule{
	{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
	{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
}

func (g *Guard) createRole(ctx context.Context, obj *object.Object) error {
	info := request.InfoFrom(ctx)
	if g.free(ctx, authorizer.Attributes{Info: request.Info{
		IsResource: true, Verb: "escalate", Group: group, Version: "*", Resource: resourceOf(obj), Name: info.Name, Namespace: obj.Meta.Namespace,
	}}) {
		return nil
	}
	if err := g.covers(ctx, obj.Meta.Namespace, roleOf(obj).Rules); err != nil {
		return forbidden(obj, err)
	}
	if aggregates(obj) && g.covers(ctx, "", everything) != nil {
		return forbidden(obj, fmt.Errorf("must have cluster-admin privileges to use the aggregationRule"))
	}
	return nil
}

func (g *Guard) updateRole(ctx context.Context, obj, old *object.Object) error {
	if onlyCollected(obj, old) {
		return nil
	}
	if aggregates(old) && !aggregates(obj) { // who takes it away needs as much as who sets it
		obj = &object.Object{Kind: obj.Kind, Meta: obj.Meta, Fields: map[string]any{"rules": obj.Fields["rules"], "aggregationRule": old.Fields["aggregationRule"]}}
	}
	return g.createRole(ctx, obj)
}

func aggregates(o *object.Object) bool {
	return len(rules.List(o.Fields, "aggregationRule", "clusterRoleSelectors")) > 0
}

func (g *Guard) createBinding(ctx context.Context, obj *object.Object) error {
	b := bindingOf(obj)
	if g.free(ctx, authorizer.Attributes{Info: request.Info{
		IsResource: true, Verb: "bind", Group: rules.Text(obj.Fields, "roleRef", "apiGroup"), Version: "*",
		Resource: strings.ToLower(b.RoleRef.Kind) + "s", Name: b.RoleRef.Name, Namespace: b.Namespace,
	}}) {
		return nil
	}
	role, err := authorizer.RBAC{Policy: g.policy}.Role(ctx, b)
	if err != nil {
		return err
	}
	if err := g.covers(ctx, b.Namespace, role.Rules); err != nil {
		return forbidden(obj, err)
	}
	return nil
}

func (g *Guard) updateBinding(ctx context.Context, obj, old *object.Object) error {
	if onlyCollected(obj, old) {
		return nil
	}
	return g.createBinding(ctx, obj)
}

// free says whether the user may grant anything, or this in particular. An
// authorizer that fails frees nobody.
//
// Upstream: pkg/registry/rbac/escalation_check.go EscalationAllowed
func (g *Guard) free(ctx context.Context, a authorizer.Attributes) bool {
	a.User = request.UserFrom(ctx)
	if slices.Contains(a.User.Groups, authenticator.SystemPrivilegedGroup) {
		return true
	}
	decision, _, err := g.Authorizer.Authorize(ctx, a)
	return err == nil && decision == authorizer.Allow
}

// covers returns an error that lists what the user would grant and does not have.
//
// Upstream: pkg/registry/rbac/validation/rule.go ConfirmNoEscalation
func (g *Guard) covers(ctx context.Context, namespace string, wanted []authorizer.PolicyRule) error {
	user := request.UserFrom(ctx)
	owned, _, unread := authorizer.RBAC{Policy: g.policy}.RulesFor(ctx, user, namespace)
	missing := authorizer.Missing(owned, wanted)
	if len(missing) == 0 {
		return nil
	}
	var texts []string
	for _, r := range missing {
		texts = append(texts, r.String())
	}
	slices.Sort(texts)
	tail := ""
	if unread != nil {
		tail = fmt.Sprintf("; resolution errors: [%v]", unread)
	}
	return fmt.Errorf("user %q (groups=%q) is attempting to grant RBAC permissions not currently held:\n%s%s",
		user.Name, user.Groups, strings.Join(slices.Compact(texts), "\n"), tail)
}

// onlyCollected says whether an update is no more than the work of a garbage
// collector: owners and finalizers.
//
// Now: pkg/registry/rbac/helpers.go IsOnlyMutatingGCFields
func onlyCollected(obj, old *object.Object) bool {
	now := *obj
	now.Meta.OwnerReferences, now.Meta.Finalizers = old.Meta.OwnerReferences, old.Meta.Finalizers
	now.Meta.ManagedFields = old.Meta.ManagedFields
	return string(now.Encode()) == string(old.Encode())
}

func resourceOf(o *object.Object) string { return strings.ToLower(o.Kind) + "s" }

func forbidden(o *object.Object, why error) error {
	return status.Forbidden(status.Resource{Group: group, Name: resourceOf(o)}, o.Meta.Name, why.Error())
}
