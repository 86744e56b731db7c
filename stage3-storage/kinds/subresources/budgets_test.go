package subresources_test

import (
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// guarded is a world with running pods and a store of budgets.
func guarded(t *testing.T) *world {
	t.Helper()
	budgets := &subresources.DisruptionBudgets{}
	w := newWorld(t, subresources.Options{Budgets: budgets})
	r := catalog.Resource{Group: "policy", Version: "v1", Name: "poddisruptionbudgets", Kind: "PodDisruptionBudget", Namespaced: true, StoredUnder: "poddisruptionbudgets"}
	store, err := registry.NewStore(registry.Kind{
		Resource: r, Strategy: registry.Strategy{HasGeneration: true}, Status: &registry.Strategy{OnlyNew: []string{"status"}},
	}, w.getter)
	if err != nil {
		t.Fatal(err)
	}
	w.stores[r.Name] = store
	budgets.Store = func() *registry.Store { return store }
	for _, name := range []string{"a", "b"} {
		w.create(t, "pods", `{"metadata":{"name":"`+name+`","labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}]}}`)
		w.report(t, "pods", in(name), `{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}`)
	}
	w.create(t, "pods", `{"metadata":{"name":"ailing","labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}]}}`)
	w.report(t, "pods", in("ailing"), `{"phase":"Running","conditions":[{"type":"Ready","status":"False"}]}`)
	return w
}

const budgetStatus = `"observedGeneration":1,"desiredHealthy":1,"currentHealthy":1`

func (w *world) budget(t *testing.T, name, spec, now string) {
	t.Helper()
	w.create(t, "poddisruptionbudgets", `{"metadata":{"name":"`+name+`"},"spec":{`+spec+`},"status":{`+now+`}}`)
}

func (w *world) evict(t *testing.T, name string) error {
	t.Helper()
	return post(t, w.pods.Eviction, in(name), body(`{"metadata":{"name":"`+name+`"}}`))
}

func TestABudgetIsSpentByEvictions(t *testing.T) {
	w := guarded(t)
	w.budget(t, "web", `"selector":{"matchLabels":{"app":"web"}}`, budgetStatus+`,"disruptionsAllowed":1`)
	w.budget(t, "none", `"minAvailable":1`, `"observedGeneration":1`)
	w.budget(t, "other", `"selector":{"matchExpressions":[{"key":"app","operator":"NotIn","values":["web"]}]}`, `"observedGeneration":1`)
	wants(t, "the first", w.evict(t, "a"), 0, "")
	err := w.evict(t, "b")
	wants(t, "the second", err, 429, "Cannot evict pod as it would violate the pod's disruption budget.")
	if causes := status.From(err).Details.Causes; len(causes) != 1 || causes[0].Message != "The disruption budget web needs 1 healthy pods and has 1 currently" {
		t.Errorf("the causes are %v", causes)
	}
	e, err := w.stores["poddisruptionbudgets"].Get(t.Context(), in("web"), rest.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.Object()
	if err != nil {
		t.Fatal(err)
	}
	if disrupted := rules.Map(o.Fields, "status", "disruptedPods"); rules.Int(o.Fields, "status", "disruptionsAllowed") != 0 || disrupted["a"] == nil {
		t.Errorf("the budget is %v; want it to allow nothing and to name pod a", o.Fields["status"])
	}
	for _, c := range rules.Items(o.Fields, "status", "conditions") {
		if c["reason"] != "InsufficientPods" || c["status"] != "False" {
			t.Errorf("the budget's condition is %v", c)
		}
	}
}

func TestWhatABudgetSaysIsHeeded(t *testing.T) {
	const all = `"selector":{}`
	for name, c := range map[string]struct {
		spec, now, pod string
		code           int
	}{
		"nothing allowed":                           {all, budgetStatus, "a", 429},
		"not counted yet":                           {all, `"observedGeneration":0,"disruptionsAllowed":5`, "a", 429},
		"less than nothing":                         {all, budgetStatus + `,"disruptionsAllowed":-1`, "a", 403},
		"an ailing pod, enough healthy ones":        {all, budgetStatus, "ailing", 0},
		"an ailing pod, too few healthy ones":       {all, `"observedGeneration":1,"desiredHealthy":2,"currentHealthy":1`, "ailing", 429},
		"an ailing pod that may always go":          {all + `,"unhealthyPodEvictionPolicy":"AlwaysAllow"`, `"observedGeneration":1,"desiredHealthy":2,"currentHealthy":1`, "ailing", 0},
		"a healthy pod where only ailing ones may":  {all + `,"unhealthyPodEvictionPolicy":"AlwaysAllow"`, budgetStatus, "a", 429},
		"a budget of which its controller despairs": {all, budgetStatus + `,"conditions":[{"type":"DisruptionAllowed","status":"False","reason":"SyncFailed","message":"why"}]`, "a", 429},
	} {
		t.Run(name, func(t *testing.T) {
			w := guarded(t)
			w.budget(t, "x", c.spec, c.now)
			err := w.evict(t, c.pod)
			if c.code == 0 {
				wants(t, name, err, 0, "")
			} else if status.From(err).Code != c.code {
				t.Errorf("got %v; want code %d", err, c.code)
			}
		})
	}
}

func TestTwoBudgetsForOnePodAreTooMany(t *testing.T) {
	w := guarded(t)
	w.budget(t, "x", `"selector":{}`, budgetStatus+`,"disruptionsAllowed":1`)
	w.budget(t, "y", `"selector":{"matchExpressions":[{"key":"app","operator":"Exists"}]}`, budgetStatus+`,"disruptionsAllowed":1`)
	wants(t, "the eviction", w.evict(t, "a"), 500, "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.")
}
