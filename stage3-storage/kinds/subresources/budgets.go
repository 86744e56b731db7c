package subresources

import (
	"context"
	"fmt"
	"net/http"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/selector"
)

// DisruptionBudgets are the Budgets of policy/v1: objects in a store. How much
// a budget allows, its controller has counted and written into its status;
// here it is spent.
type DisruptionBudgets struct {
	Store func() *registry.Store // of the budgets; nil while their group is not installed
}

// Spend is part of Budgets.
//
// Upstream: pkg/registry/core/pod/storage/eviction.go Create
func (b *DisruptionBudgets) Spend(ctx context.Context, pod *object.Object, dryRun bool) (unchanged bool, err error) {
	store := b.Store()
	if store == nil {
		return false, nil
	}
	guarding, err := b.guarding(ctx, store, pod)
	if err != nil || len(guarding) == 0 {
		return false, err
	}
	if len(guarding) > 1 {
		return false, status.New(http.StatusInternalServerError, "", "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.", nil)
	}
	budget := guarding[0]
	if !ready(pod) && spares(budget) {
		return true, nil
	}
	key := rest.Key{Namespace: budget.Meta.Namespace, Name: budget.Meta.Name}
	_, err = store.Change(ctx, key, dryRun, func(budget *object.Object) error { return spend(budget, pod.Meta.Name) })
	return false, err
}

// guarding are the budgets that select a pod.
func (b *DisruptionBudgets) guarding(ctx context.Context, store *registry.Store, pod *object.Object) ([]*object.Object, error) {
	list, err := store.List(ctx, pod.Meta.Namespace, rest.ListOptions{})
	if err != nil {
		return nil, err
	}
	var all []*object.Object
	for _, e := range list.Items {
		budget, err := e.Object()
		if err != nil {
			return nil, err
		}
		wanted := rules.Map(budget.Fields, "spec", "selector")
		if wanted == nil {
			continue // it selects nothing; an empty one selects everything
		}
		which, err := selector.ParseLabels(selectorText(wanted))
		if err != nil {
			return nil, err
		}
		if which.Matches(pod.Meta.Labels) {
			all = append(all, budget)
		}
	}
	return all, nil
}

func ready(pod *object.Object) bool {
	for _, c := range rules.Items(pod.Fields, "status", "conditions") {
		if rules.Text(c, "type") == "Ready" {
			return rules.Text(c, "status") == "True"
		}
	}
	return false
}

// spares says whether an ailing pod may go for nothing: always, where the
// budget says so, else if enough healthy ones are there without it.
func spares(budget *object.Object) bool {
	if rules.Text(budget.Fields, "spec", "unhealthyPodEvictionPolicy") == "AlwaysAllow" {
		return true
	}
	is, should := rules.Int(budget.Fields, "status", "currentHealthy"), rules.Int(budget.Fields, "status", "desiredHealthy")
	return is >= should && should > 0
}

// maxDisrupted is how many evictions may wait for the controller to notice them.
const maxDisrupted = 2000

// spend takes one disruption from a budget, and notes for whom.
//
// Upstream: pkg/registry/core/pod/storage/eviction.go checkAndDecrement
func spend(budget *object.Object, pod string) error {
	now := rules.Make(budget.Fields, "status")
	allowed := rules.Int(now, "disruptionsAllowed")
	refuse := func(why string) error {
		return status.Forbidden(status.Resource{Group: "policy", Name: "poddisruptionbudget"}, budget.Meta.Name, why)
	}
	switch {
	case rules.Int(now, "observedGeneration") < budget.Meta.Generation:
		return tooMany(10, fmt.Sprintf("The disruption budget %s is still being processed by the server.", budget.Meta.Name))
	case allowed < 0:
		return refuse("pdb disruptions allowed is negative")
	case len(rules.Map(now, "disruptedPods")) > maxDisrupted:
		return refuse("DisruptedPods map too big - too many evictions not confirmed by PDB controller")
	case allowed == 0:
		return tooMany(0, whyNone(budget))
	}
	now["disruptionsAllowed"] = rules.Number(allowed - 1)
	if allowed == 1 {
		setCondition(now, rules.Tree{
			"type": "DisruptionAllowed", "status": "False", "reason": "InsufficientPods", "message": "",
			"observedGeneration": rules.Number(rules.Int(now, "observedGeneration")),
		})
	}
	rules.Make(now, "disruptedPods")[pod] = object.Now()
	return nil
}

// tooMany is the answer where a budget does not allow an eviction.
func tooMany(seconds int, why string) error {
	return status.New(http.StatusTooManyRequests, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.",
		&status.Details{RetryAfterSeconds: seconds, Causes: []status.Cause{{Reason: "DisruptionBudget", Message: why}}})
}

// whyNone says why a budget allows nothing.
func whyNone(budget *object.Object) string {
	for _, c := range rules.Items(budget.Fields, "status", "conditions") {
		if rules.Text(c, "type") == "DisruptionAllowed" && rules.Text(c, "reason") == "SyncFailed" {
			return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently because it failed sync: %s", budget.Meta.Name, rules.Text(c, "message"))
		}
	}
	return fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently",
		budget.Meta.Name, rules.Int(budget.Fields, "status", "desiredHealthy"), rules.Int(budget.Fields, "status", "currentHealthy"))
}
