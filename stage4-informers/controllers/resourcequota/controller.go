package resourcequota

import (
	"context"
	"slices"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	stage3 "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/discovery"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/controllers/workqueue"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/plugins/amounts"
	counting "example.com/kube-apiserver/stage4-informers/plugins/resourcequota"
)

var quotas = catalog.Resource{Version: "v1", Name: "resourcequotas", Kind: "ResourceQuota", Namespaced: true}

const (
	resyncPeriod = 5 * time.Minute // everything is counted anew, whatever happened
	calm         = time.Second / 2 // what was added is counted already, so the check of it may wait
)

// whole are the resources of which the number alone does not say what is used.
var whole = []string{"pods", "services", "persistentvolumeclaims"}

// Controller counts.
type Controller struct {
	client, metadata *client.Client
	installed        *stage3.Inventory
	quotas           cache.SharedIndexInformer
	queue            *workqueue.Queue[string] // keys of quotas

	mu      sync.Mutex // guards watched
	watched map[string]catalog.Resource
	wanted  chan struct{} // watched has grown
}

// New registers the controller with the informer of quotas.
func New(c *client.Client, installed *stage3.Inventory, f *informers.SharedInformerFactory) *Controller {
	ctl := &Controller{
		client: c, metadata: c.Metadata(), installed: installed, quotas: f.ForResource(quotas),
		queue: workqueue.New[string]("resourcequota controller"), watched: map[string]catalog.Resource{}, wanted: make(chan struct{}, 1),
	}
	ctl.quotas.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { ctl.lookAt(obj, nil) },
		UpdateFunc: func(old, obj any) { ctl.lookAt(obj, old) },
	})
	return ctl
}

// lookAt leaves out what only the count itself has changed.
func (c *Controller) lookAt(item, old any) {
	quota, err := item.(*object.Encoded).Object()
	if err != nil {
		return
	}
	if was, ok := old.(*object.Encoded); ok {
		before, err := was.Object()
		if err == nil && rules.Same(before.Fields["spec"], quota.Fields["spec"]) {
			return
		}
	}
	c.queue.Add(quota.Meta.Namespace + "/" + quota.Meta.Name)
}

// Run works until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { c.watch(ctx) })
	running.Go(func() { c.again(ctx) })
	c.queue.Run(ctx, 5, c.count)
}

// again has every quota counted from time to time.
func (c *Controller) again(ctx context.Context) {
	tick := time.NewTicker(resyncPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for key := range c.quotas.GetStore().List() {
				c.queue.Add(key)
			}
		}
	}
}

// count writes into the status of a quota what its spec limits and how much of
// that is used.
//
// Upstream: pkg/controller/resourcequota/resource_quota_controller.go syncResourceQuota
func (c *Controller) count(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	live, err := c.client.Get(ctx, quotas, namespace, name)
	if status.Is(err, "NotFound") {
		return nil
	}
	if err != nil {
		return err
	}
	quota, err := live.Object()
	if err != nil {
		return err
	}
	hard := amounts.Of(rules.Map(quota.Fields, "spec", "hard"))
	used := amounts.Of(rules.Map(quota.Fields, "status", "used")).Only(hard.Names()) // of what nobody counts
	for _, r := range discovery.Supporting(c.installed, "list", "watch") {
		if !r.Namespaced || len(counting.Counted(quota, r.GroupResource())) == 0 {
			continue
		}
		c.want(r)
		objects, err := c.list(ctx, r, namespace)
		if err != nil {
			return err
		}
		for name, q := range counting.Usage(quota, r.GroupResource(), objects) {
			used[name] = q
		}
	}
	next := quota.DeepCopy()
	next.Fields["status"] = rules.Tree{"hard": hard.Tree(), "used": used.Tree()}
	if rules.Same(next.Fields["status"], quota.Fields["status"]) {
		return nil
	}
	_, err = c.client.Update(ctx, quotas, "status", next)
	if status.Is(err, "NotFound") {
		return nil
	}
	return err
}

func (c *Controller) list(ctx context.Context, r catalog.Resource, namespace string) ([]*object.Object, error) {
	from := c.metadata
	if slices.Contains(whole, r.GroupResource()) {
		from = c.client
	}
	items, err := from.List(ctx, r, namespace)
	if err != nil {
		return nil, err
	}
	objects := make([]*object.Object, len(items))
	for i, item := range items {
		if objects[i], err = item.Object(); err != nil {
			return nil, err
		}
	}
	return objects, nil
}
