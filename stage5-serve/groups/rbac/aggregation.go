package rbac

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/wire/selector"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/controllers/workqueue"
	"example.com/kube-apiserver/stage4-informers/informers"
)

// Aggregation is the controller clusterrole-aggregation: it writes into
// cluster roles with an aggregationRule the rules of those that it selects.
// Without it the built-in roles admin, edit and view allow nothing.
//
// Now: pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go ClusterRoleAggregationController
type Aggregation struct {
	client *client.Client
	roles  cache.SharedIndexInformer
	queue  *workqueue.Queue[string] // names of roles with an aggregationRule
}

// NewAggregation registers the controller with the informer of cluster roles.
func NewAggregation(c *client.Client, f *informers.SharedInformerFactory) *Aggregation {
	a := &Aggregation{client: c, roles: f.ForResource(ClusterRoles), queue: workqueue.New[string]("clusterrole aggregation")}
	changed := func(any) { a.lookAtAll() }
	a.roles.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: changed, UpdateFunc: func(_, _ any) { a.lookAtAll() }, DeleteFunc: changed})
	return a
}

// lookAtAll: any role may be part of any that is put together.
func (a *Aggregation) lookAtAll() {
	for _, item := range a.roles.GetStore().List() {
		if o, err := item.Object(); err == nil && aggregates(o) {
			a.queue.Add(o.Meta.Name)
		}
	}
}

// Run works until ctx ends.
func (a *Aggregation) Run(ctx context.Context) {
	if cache.WaitForCacheSync(ctx.Done(), a.roles.HasSynced) {
		a.queue.Run(ctx, 1, a.aggregate)
	}
}

// aggregate writes a role if its rules are not what they should be.
//
// Now: pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go syncClusterRole
func (a *Aggregation) aggregate(ctx context.Context, name string) error {
	item, exists := a.roles.GetStore().GetByKey(name)
	if !exists {
		return nil
	}
	role, err := item.Object()
	if err != nil || !aggregates(role) {
		return err
	}
	wanted, err := a.gather(role)
	if err != nil || rules.Same(wanted, role.Fields["rules"]) {
		return err
	}
	next := role.DeepCopy()
	next.Fields["rules"] = wanted
	_, err = a.client.Update(ctx, ClusterRoles, "", next)
	if status.Is(err, "NotFound") {
		return nil
	}
	return err
}

// gather collects the rules of all roles that are selected, each rule once, in
// the order of the selectors and of the roles' names.
func (a *Aggregation) gather(into *object.Object) ([]any, error) {
	roles := map[string]*object.Object{}
	for _, item := range a.roles.GetStore().List() {
		o, err := item.Object()
		if err != nil {
			return nil, err
		}
		roles[o.Meta.Name] = o
	}
	list := []any{}
	for _, s := range rules.Items(into.Fields, "aggregationRule", "clusterRoleSelectors") {
		selects, err := selector.ParseLabels(selectorText(s))
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(roles)) {
			if name == into.Meta.Name || !selects.Matches(roles[name].Meta.Labels) {
				continue
			}
			for _, r := range rules.List(roles[name].Fields, "rules") {
				if !slices.ContainsFunc(list, func(has any) bool { return rules.Same(has, r) }) {
					list = append(list, r)
				}
			}
		}
	}
	return list, nil
}

// selectorText writes a selector of an object as one of a request.
func selectorText(s rules.Tree) string {
	var terms []string
	for k, v := range rules.Strings(s, "matchLabels") {
		terms = append(terms, k+"="+v)
	}
	for _, e := range rules.Items(s, "matchExpressions") {
		key, values := rules.Text(e, "key"), strings.Join(rules.Texts(e, "values"), ",")
		switch rules.Text(e, "operator") {
		case "In":
			terms = append(terms, key+" in ("+values+")")
		case "NotIn":
			terms = append(terms, key+" notin ("+values+")")
		case "Exists":
			terms = append(terms, key)
		case "DoesNotExist":
			terms = append(terms, "!"+key)
		}
	}
	return strings.Join(terms, ",")
}
