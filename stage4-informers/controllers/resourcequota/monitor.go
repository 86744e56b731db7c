package resourcequota

import (
	"context"
	"maps"
	"sync"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/cache"
)

// want has a resource watched from now on: a quota counts it. Where there are
// no quotas nothing is watched.
func (c *Controller) want(r catalog.Resource) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, is := c.watched[r.GroupResource()]; is {
		return
	}
	c.watched[r.GroupResource()] = r
	select {
	case c.wanted <- struct{}{}:
	default: // it has not been heard yet
	}
}

// watch runs an informer for each resource that is wanted, until ctx ends.
//
// Now: pkg/controller/resourcequota/resource_quota_monitor.go QuotaMonitor
func (c *Controller) watch(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	started := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wanted:
		}
		c.mu.Lock()
		watched := maps.Clone(c.watched)
		c.mu.Unlock()
		for name, r := range watched {
			if !started[name] {
				started[name] = true
				running.Go(func() { c.monitor(ctx, r) })
			}
		}
	}
}

// monitor follows one resource until ctx ends. It needs no more than the
// metadata to know that something happened, and where.
func (c *Controller) monitor(ctx context.Context, r catalog.Resource) {
	informer := cache.NewSharedIndexInformer("metadata of "+r.GroupResource(), c.metadata.ListerWatcher(r, ""), 0)
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { c.recount(obj, false) },
		UpdateFunc: func(_, obj any) { c.recount(obj, false) },
		DeleteFunc: func(obj any) { c.recount(obj, true) },
	})
	informer.Run(ctx.Done())
}

// recount has the quotas counted of the namespace in which something changed;
// at once if it has gone, because somebody may wait for the room.
func (c *Controller) recount(obj any, atOnce bool) {
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		return
	}
	namespace, _, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return
	}
	for quota := range c.quotas.GetIndexer().ByNamespace(namespace) {
		if atOnce {
			c.queue.Add(quota)
		} else {
			c.queue.AddAfter(quota, calm)
		}
	}
}
