package rbac

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

// autoUpdate set to "false" leaves a built-in role to its administrator.
const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate"

// EnsureRoles is the hook rbac/bootstrap-roles: it tries until every built-in
// role and binding is there. The namespaces of some of them are made by
// another hook at the same time.
//
// Upstream: pkg/registry/rbac/rest/storage_rbac.go PostStartHook
func EnsureRoles(c *client.Client, stopCh <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		err := Reconcile(ctx, c)
		if err == nil {
			return nil
		}
		select {
		case <-stopCh:
			return nil // the server stops before it has begun
		case <-ctx.Done():
			return fmt.Errorf("unable to initialize roles: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Reconcile creates the built-in roles and bindings that are missing, and adds
// to the others what they lack. What somebody has added to them stays, and
// where nothing is to be done nothing is written.
//
// Upstream: pkg/registry/rbac/reconciliation/reconcile_role.go ReconcileRoleOptions
func Reconcile(ctx context.Context, c *client.Client) error {
	present, err := list(ctx, c, Roles, RoleBindings, ClusterRoles, ClusterRoleBindings)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var errs []error
	var workers sync.WaitGroup
	slots := make(chan struct{}, 16) // the store commits together what comes together
	ensure := func(r catalog.Resource, wanted *object.Object) {
		slots <- struct{}{}
		workers.Go(func() {
			defer func() { <-slots }()
			if err := put(ctx, c, r, wanted, present[keyOf(r, wanted)]); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, err)
			}
		})
	}
	for _, row := range bootstrap() {
		role, binding := row.objects()
		roles, bindings := ClusterRoles, ClusterRoleBindings
		if row.namespace != "" {
			roles, bindings = Roles, RoleBindings
		}
		ensure(roles, role)
		if row.subjects != nil {
			ensure(bindings, binding)
		}
	}
	workers.Wait()
	return errors.Join(errs...)
}

func keyOf(r catalog.Resource, o *object.Object) string {
	return r.Name + "/" + o.Meta.Namespace + "/" + o.Meta.Name
}

func list(ctx context.Context, c *client.Client, resources ...catalog.Resource) (map[string]*object.Object, error) {
	all := map[string]*object.Object{}
	for _, r := range resources {
		got, err := c.ListerWatcher(r, "").List(ctx)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", r.Name, err)
		}
		for _, item := range got.Items {
			o, err := item.Object()
			if err != nil {
				return nil, err
			}
			all[keyOf(r, o)] = o
		}
	}
	return all, nil
}

// put creates what is not there, and updates what lacks something.
func put(ctx context.Context, c *client.Client, r catalog.Resource, wanted, present *object.Object) (err error) {
	if present == nil {
		_, err = c.Create(ctx, r, wanted.Meta.Namespace, wanted)
		if status.Is(err, "AlreadyExists") {
			err = nil
		}
	} else if next := merge(present, wanted); next != nil {
		_, err = c.Update(ctx, r, "", next)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", r.Name, wanted.Meta.Name, err)
	}
	return nil
}

// merge returns the present object with what it lacks; nil where it lacks nothing.
func merge(present, wanted *object.Object) *object.Object {
	if present.Meta.Annotations[autoUpdate] == "false" {
		return nil
	}
	o := present.DeepCopy()
	o.Meta.Labels, o.Meta.Annotations = with(o.Meta.Labels, wanted.Meta.Labels), with(o.Meta.Annotations, wanted.Meta.Annotations)
	for _, r := range authorizer.Missing(roleOf(present).Rules, roleOf(wanted).Rules) {
		o.Fields["rules"] = append(rules.List(o.Fields, "rules"), ruleTree(r))
	}
	for _, s := range rules.List(wanted.Fields, "subjects") {
		if !slices.ContainsFunc(rules.List(o.Fields, "subjects"), func(has any) bool { return rules.Same(has, s) }) {
			o.Fields["subjects"] = append(rules.List(o.Fields, "subjects"), s)
		}
	}
	if wanted.Fields["aggregationRule"] != nil && o.Fields["aggregationRule"] == nil {
		o.Fields["aggregationRule"] = wanted.Fields["aggregationRule"]
	}
	if string(o.Encode()) == string(present.Encode()) {
		return nil
	}
	return o
}

func with(m, more map[string]string) map[string]string {
	all := maps.Clone(more)
	maps.Copy(all, m)
	return all
}

// objects are the role and the binding of a row.
func (r bootstrapRole) objects() (role, binding *object.Object) {
	meta := func(name string) object.Meta {
		return object.Meta{Name: name, Namespace: r.namespace,
			Labels: map[string]string{"kubernetes.io/bootstrapping": "rbac-defaults"}, Annotations: map[string]string{autoUpdate: "true"}}
	}
	kind := "ClusterRole"
	if r.namespace != "" {
		kind = "Role"
	}
	role = &object.Object{APIVersion: apiVersion, Kind: kind, Meta: meta(r.name), Fields: map[string]any{}}
	var list []any
	for _, rule := range r.rules {
		list = append(list, ruleTree(authorizer.PolicyRule(rule)))
	}
	role.Fields["rules"] = list
	if r.to != "" {
		role.Meta.Labels[aggregateTo+r.to] = "true"
	}
	if r.of != "" {
		labels := map[string]any{aggregateTo + r.of: "true"}
		role.Fields["aggregationRule"] = map[string]any{"clusterRoleSelectors": []any{map[string]any{"matchLabels": labels}}}
	}
	name := r.binding
	if name == "" {
		name = r.name
	}
	binding = &object.Object{APIVersion: apiVersion, Kind: kind + "Binding", Meta: meta(name), Fields: map[string]any{
		"roleRef": map[string]any{"apiGroup": group, "kind": kind, "name": r.name},
	}}
	var given []any
	for _, s := range r.subjects {
		given = append(given, subjectTree(s))
	}
	if given != nil {
		binding.Fields["subjects"] = given
	}
	return role, binding
}

const aggregateTo = "rbac.authorization.k8s.io/aggregate-to-"
