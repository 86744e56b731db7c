package subresources

import (
	"context"
	"slices"
	"strconv"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// EvictionREST deletes pods unless too few of their like would be left.
//
// Upstream: pkg/registry/core/pod/storage/eviction.go EvictionREST
type EvictionREST struct {
	pods    *registry.Store
	budgets Budgets // nil: every pod can be spared
}

// Budgets is the seam for disruption budgets, which are a kind of another group.
type Budgets interface {
	// Spend takes one disruption from the budget that guards the pod, unless
	// dryRun. It answers a budget that is spent with a Status of code 429. An
	// ailing pod that no budget counts costs nothing; it must then be the same
	// still when it goes, which unchanged says.
	Spend(ctx context.Context, pod *object.Object, dryRun bool) (unchanged bool, err error)
}

// Kind is part of rest.Storage.
func (r *EvictionREST) Kind() (apiVersion, kind string) { return "policy/v1", "Eviction" }

// Resource is part of rest.Storage.
func (r *EvictionREST) Resource() catalog.Resource { return r.pods.Resource() }

// AcceptsGroupVersion is part of requests.GroupVersionAcceptor.
func (r *EvictionREST) AcceptsGroupVersion(apiVersion string) bool {
	return apiVersion == "policy/v1" || apiVersion == "policy/v1beta1"
}

// Create is part of rest.Creater.
func (r *EvictionREST) Create(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, error) {
	eviction, err := receive(ctx, r, key, w)
	if err != nil {
		return nil, err
	}
	if key.Name != eviction.Meta.Name {
		return nil, status.BadRequest("name in URL does not match name in Eviction object")
	}
	opts, err := evictionOptions(eviction, w)
	if err != nil {
		return nil, err
	}
	w.DryRun = opts.DryRun
	if err := admit(ctx, r.pods, "eviction", key, w, eviction); err != nil {
		return nil, err
	}
	const attempts = 20
	for i := 1; ; i++ { // somebody may write the pod meanwhile; a client that named a version wants to know
		err := r.evict(ctx, key, opts)
		if err == nil {
			return done()
		}
		if !status.Is(err, "Conflict") || opts.ResourceVersion != "" || opts.UID != "" || i == attempts {
			return nil, err
		}
	}
}

// evict asks the budgets, writes on the pod why it goes, and deletes it.
func (r *EvictionREST) evict(ctx context.Context, key rest.Key, opts rest.DeleteOptions) error {
	live, err := r.pods.Get(ctx, key, rest.GetOptions{})
	if err != nil {
		return err
	}
	pod, err := live.Object()
	if err != nil {
		return err
	}
	unchanged := true
	if r.budgets != nil && disturbs(pod) {
		if unchanged, err = r.budgets.Spend(ctx, pod, opts.DryRun); err != nil {
			return err
		}
	}
	seen := opts.ResourceVersion
	if seen == "" && unchanged {
		seen = pod.Meta.ResourceVersion
	}
	marked, err := r.pods.Change(ctx, key, opts.DryRun, func(pod *object.Object) error {
		setPodCondition(pod, rules.Tree{
			"type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI", "message": "Eviction API: evicting",
		})
		return unmoved(pod, opts.UID, seen)
	})
	if err != nil {
		return err
	}
	if seen != "" {
		opts.ResourceVersion = strconv.FormatInt(marked.Revision(), 10)
	}
	_, _, err = r.pods.Delete(ctx, key, opts)
	return err
}

// disturbs says whether a pod's end is one that budgets count: one that has
// ended, has not begun or is ending already costs nothing.
//
// Now: pkg/registry/core/pod/storage/eviction.go canIgnorePDB
func disturbs(pod *object.Object) bool {
	phase := rules.Text(pod.Fields, "status", "phase")
	return pod.Meta.DeletionTimestamp == "" && !slices.Contains([]string{"Succeeded", "Failed", "Pending"}, phase)
}

// evictionOptions reads how the pod is to be deleted. A dry run may be asked
// for in the path and in the body.
func evictionOptions(eviction *object.Object, w rest.Write) (rest.DeleteOptions, error) {
	body := rules.Map(eviction.Fields, "deleteOptions")
	opts := rest.DeleteOptions{
		PropagationPolicy: rules.Text(body, "propagationPolicy"),
		UID:               rules.Text(body, "preconditions", "uid"),
		ResourceVersion:   rules.Text(body, "preconditions", "resourceVersion"),
	}
	if body["gracePeriodSeconds"] != nil {
		grace := rules.Int(body, "gracePeriodSeconds")
		opts.GracePeriodSeconds = &grace
	}
	dry := rules.Texts(body, "dryRun")
	if len(dry) > 0 && w.DryRun && !slices.Equal(dry, []string{"All"}) {
		return opts, status.BadRequest("Non-matching dry-run options in request and content: %v and %v", []string{"All"}, dry)
	}
	opts.DryRun = w.DryRun || len(dry) > 0
	return opts, nil
}
