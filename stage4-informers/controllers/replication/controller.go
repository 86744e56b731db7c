package replication

import (
	"context"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/controllers/events"
	"example.com/kube-apiserver/stage4-informers/controllers/workqueue"
	"example.com/kube-apiserver/stage4-informers/informers"
)

var (
	replicationControllers = catalog.Resource{Version: "v1", Name: "replicationcontrollers", Kind: "ReplicationController", Namespaced: true}
	podRow                 = catalog.Resource{Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true}
)

// Controller creates and deletes pods.
type Controller struct {
	client      *client.Client
	events      *events.Recorder
	controllers cache.SharedIndexInformer // of replication controllers
	pods        cache.SharedIndexInformer
	queue       *workqueue.Queue[string] // keys of replication controllers
	expected    *expectations
}

// New registers the controller with the informers of pods and replication controllers.
func New(c *client.Client, f *informers.SharedInformerFactory) *Controller {
	ctl := &Controller{
		client: c, events: events.New(c, "replication-controller"),
		controllers: f.ForResource(replicationControllers), pods: f.ForResource(podRow),
		queue: workqueue.New[string]("replicationcontroller controller"), expected: newExpectations(),
	}
	ctl.controllers.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    ctl.lookAt,
		UpdateFunc: func(_, obj any) { ctl.lookAt(obj) },
		DeleteFunc: ctl.lookAt,
	})
	ctl.pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    ctl.podAdded,
		UpdateFunc: ctl.podChanged,
		DeleteFunc: ctl.podGone,
	})
	return ctl
}

func (c *Controller) lookAt(rc any) {
	if key, err := cache.MetaNamespaceKeyFunc(rc); err == nil {
		c.queue.Add(key)
	}
}

func (c *Controller) podAdded(item any) {
	pod := metaOf(item)
	if pod == nil {
		return
	}
	if key, mine := c.owner(pod); mine {
		c.expected.created(key)
	}
	c.podChanged(item, item)
}

// podChanged has those looked at that the pod belonged to, belongs to, or could belong to.
func (c *Controller) podChanged(old, item any) {
	before, pod := metaOf(old), metaOf(item)
	if before == nil || pod == nil {
		return
	}
	if pod.DeletionTimestamp != "" {
		c.podGone(item) // it counts no longer, whenever it may end
	}
	for _, p := range []*object.Meta{before, pod} {
		if key, mine := c.owner(p); mine {
			c.queue.Add(key)
		} else if controllerOf(p) == nil {
			c.lookForOwners(p)
		}
	}
}

func (c *Controller) podGone(item any) {
	pod := metaOf(item)
	if pod == nil {
		return
	}
	if key, mine := c.owner(pod); mine {
		c.expected.deleted(key, pod.UID)
		c.queue.Add(key)
	}
}

// owner is the replication controller that a pod belongs to, if it is still there.
func (c *Controller) owner(pod *object.Meta) (key string, found bool) {
	ref := controllerOf(pod)
	if ref == nil || ref.Kind != replicationControllers.Kind || ref.APIVersion != "v1" {
		return "", false
	}
	key = pod.Namespace + "/" + ref.Name
	item, known := c.controllers.GetStore().GetByKey(key)
	if !known {
		return key, false
	}
	rc := metaOf(item)
	return key, rc != nil && rc.UID == ref.UID
}

// lookForOwners has every replication controller looked at that selects the pod.
func (c *Controller) lookForOwners(pod *object.Meta) {
	for _, item := range c.controllers.GetIndexer().ByNamespace(pod.Namespace) {
		if rc, err := item.Object(); err == nil && selects(rc, pod) {
			c.queue.Add(rc.Meta.Namespace + "/" + rc.Meta.Name)
		}
	}
}

// Run works until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	if cache.WaitForCacheSync(ctx.Done(), c.controllers.HasSynced, c.pods.HasSynced) {
		c.queue.Run(ctx, 5, c.sync)
	}
}

// sync makes the pods of one replication controller as many as it wants, and
// writes down how many there are.
//
// Upstream: pkg/controller/replication/replication_controller.go syncReplicationController
func (c *Controller) sync(ctx context.Context, key string) error {
	item, exists := c.controllers.GetStore().GetByKey(key)
	if !exists {
		c.expected.forget(key)
		return nil
	}
	rc, err := item.Object()
	if err != nil {
		return err
	}
	sure := c.expected.met(key) // asked before the cache is read
	pods, err := c.claim(ctx, rc)
	if err != nil {
		return err
	}
	var failure error
	if sure && rc.Meta.DeletionTimestamp == "" {
		failure = c.manage(ctx, key, rc, pods)
	}
	if err := c.report(ctx, key, rc, pods, failure); err != nil {
		return err
	}
	return failure
}

// metaOf is the metadata of what a handler hears of; nil where they cannot be read.
func metaOf(item any) *object.Meta {
	if gone, ok := item.(cache.DeletedFinalStateUnknown); ok {
		item = gone.Obj
	}
	meta, err := item.(*object.Encoded).Meta()
	if err != nil {
		return nil
	}
	return meta
}
