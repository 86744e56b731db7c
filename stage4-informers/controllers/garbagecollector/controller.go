package garbagecollector

import (
	"context"
	"slices"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	stage3 "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/discovery"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/controllers/events"
	"example.com/kube-apiserver/stage4-informers/controllers/workqueue"
)

// ignored are resources whose objects nobody owns and that are many.
var ignored = []string{"events", "events.events.k8s.io"}

// Controller collects.
type Controller struct {
	metadata  *client.Client
	installed *stage3.Inventory
	events    *events.Recorder
	graph     *graph
	queue     *workqueue.Queue[string] // UIDs of nodes

	monitors map[string]*monitor // by resource; only Run's goroutine uses it
	running  sync.WaitGroup
}

// monitor is the informer of one resource.
type monitor struct {
	informer cache.SharedIndexInformer
	stop     context.CancelFunc
}

// New makes the controller. It has informers of its own: others would keep
// whole objects, and could not be stopped when their kind is removed.
func New(c *client.Client, installed *stage3.Inventory) *Controller {
	return &Controller{
		metadata: c.Metadata(), installed: installed, events: events.New(c, "garbage-collector-controller"),
		graph: newGraph(), queue: workqueue.New[string]("garbagecollector controller"), monitors: map[string]*monitor{},
	}
}

// longSync is how long the collector waits for a kind that cannot be listed.
// What seems to have no owner then is looked up before it is deleted.
const longSync = 30 * time.Second

// Run works until ctx ends. It follows the inventory: kinds come and go.
//
// Now: pkg/controller/garbagecollector/garbagecollector.go Sync
func (c *Controller) Run(ctx context.Context) {
	defer c.running.Wait()
	for first := true; ctx.Err() == nil; first = false {
		_, changed := c.installed.Watch()
		c.monitor(ctx)
		if first {
			patient, cancel := context.WithTimeout(ctx, longSync)
			for _, m := range c.monitors {
				cache.WaitForCacheSync(patient.Done(), m.informer.HasSynced)
			}
			cancel()
			c.running.Go(func() { c.queue.Run(ctx, 10, c.look) })
		} else {
			c.enqueue(c.graph.owned()) // an owner's kind may be served now
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// monitor starts informers of resources that are new and stops those of
// resources that have gone.
func (c *Controller) monitor(ctx context.Context) {
	rows := discovery.Supporting(c.installed, "list", "watch", "delete")
	for name, m := range c.monitors {
		if !slices.ContainsFunc(rows, func(r catalog.Resource) bool { return r.GroupResource() == name }) {
			m.stop()
			delete(c.monitors, name)
			c.graph.forget(name)
		}
	}
	for _, r := range rows {
		name := r.GroupResource()
		if c.monitors[name] != nil || slices.Contains(ignored, name) {
			continue
		}
		informer := cache.NewSharedIndexInformer("metadata of "+name, c.metadata.ListerWatcher(r, ""), 0)
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { c.put(r, obj) },
			UpdateFunc: func(_, obj any) { c.put(r, obj) },
			DeleteFunc: c.remove,
		})
		mine, stop := context.WithCancel(ctx)
		c.monitors[name] = &monitor{informer, stop}
		c.running.Go(func() { informer.Run(mine.Done()) })
	}
}

func (c *Controller) put(r catalog.Resource, item any) {
	if meta, err := item.(*object.Encoded).Meta(); err == nil {
		c.enqueue(c.graph.put(&node{r, meta}))
	}
}

func (c *Controller) remove(item any) {
	if gone, ok := item.(cache.DeletedFinalStateUnknown); ok {
		item = gone.Obj
	}
	if meta, err := item.(*object.Encoded).Meta(); err == nil {
		c.enqueue(c.graph.remove(meta.UID))
	}
}

func (c *Controller) enqueue(uids []string) {
	for _, uid := range uids {
		c.queue.Add(uid)
	}
}
