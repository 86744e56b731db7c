package namespace

import (
	"context"
	"slices"

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
)

var (
	namespaces = catalog.Resource{Version: "v1", Name: "namespaces", Kind: "Namespace"}
	pods       = "pods"
)

// finalizer is what keeps a deleted namespace, in its spec, until this
// controller takes it away.
const finalizer = "kubernetes"

// Controller deletes the content of terminating namespaces.
type Controller struct {
	client    *client.Client
	metadata  *client.Client
	installed *stage3.Inventory
	queue     *workqueue.Queue[string] // names
}

// New registers the controller with the informer of namespaces.
func New(c *client.Client, installed *stage3.Inventory, f *informers.SharedInformerFactory) *Controller {
	ctl := &Controller{client: c, metadata: c.Metadata(), installed: installed, queue: workqueue.New[string]("namespace controller")}
	f.ForResource(namespaces).AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    ctl.look,
		UpdateFunc: func(_, obj any) { ctl.look(obj) },
	})
	return ctl
}

func (c *Controller) look(item any) {
	if ns, err := item.(*object.Encoded).Meta(); err == nil && ns.DeletionTimestamp != "" {
		c.queue.Add(ns.Name)
	}
}

// Run works until ctx ends.
func (c *Controller) Run(ctx context.Context) { c.queue.Run(ctx, 5, c.empty) }

// empty deletes what is in a namespace. It comes again until nothing is left,
// and then lets the namespace go.
//
// Upstream: pkg/controller/namespace/deletion/namespaced_resources_deleter.go Delete
func (c *Controller) empty(ctx context.Context, name string) error {
	live, err := c.client.Get(ctx, namespaces, "", name)
	if err != nil {
		return ignore(err, "NotFound")
	}
	ns, err := live.Object()
	if err != nil || ns.Meta.DeletionTimestamp == "" || !slices.Contains(rules.Texts(ns.Fields, "spec", "finalizers"), finalizer) {
		return err // nobody deletes it, or its content has gone already and something else keeps it
	}
	left := c.deleteContent(ctx, name)
	if err := c.report(ctx, ns.DeepCopy(), left); err != nil {
		return ignore(err, "NotFound")
	}
	switch {
	case len(left.errors) > 0:
		return left.errors[0]
	case len(left.objects) > 0:
		return workqueue.ErrAgain
	}
	return c.finalize(ctx, name)
}

// remains is what is still there after a round of deletions.
type remains struct {
	errors     []error
	objects    map[string]int // by resource
	finalizers map[string]int // what keeps them
}

// deleteContent deletes every object of every kind, of those added at run time
// too. Pods go first: they may need what else is in the namespace to end well.
func (c *Controller) deleteContent(ctx context.Context, namespace string) remains {
	left := remains{objects: map[string]int{}, finalizers: map[string]int{}}
	rows := discovery.Supporting(c.installed, "list", "delete")
	rows = slices.DeleteFunc(rows, func(r catalog.Resource) bool { return !r.Namespaced })
	isPods := func(r catalog.Resource) bool { return r.GroupResource() == pods }
	if i := slices.IndexFunc(rows, isPods); i >= 0 {
		c.deleteAll(ctx, rows[i], namespace, &left)
		if left.objects[pods] > 0 {
			return left
		}
	}
	for _, r := range rows {
		if !isPods(r) {
			c.deleteAll(ctx, r, namespace, &left)
		}
	}
	return left
}

// deleteAll deletes the objects of one kind and counts those that stay.
func (c *Controller) deleteAll(ctx context.Context, r catalog.Resource, namespace string, left *remains) {
	items, err := c.metadata.List(ctx, r, namespace)
	if err == nil && len(items) > 0 {
		if err = c.client.DeleteCollection(ctx, r, namespace); status.Is(err, "MethodNotAllowed") {
			err = c.deleteEach(ctx, r, items)
		}
	}
	if err == nil && len(items) > 0 {
		items, err = c.metadata.List(ctx, r, namespace)
	}
	if err != nil {
		if !status.Is(err, "NotFound") { // the kind itself has gone
			left.errors = append(left.errors, err)
		}
		return
	}
	for _, item := range items {
		left.objects[r.GroupResource()]++
		if meta, err := item.Meta(); err == nil {
			for _, f := range meta.Finalizers {
				left.finalizers[f]++
			}
		}
	}
}

func (c *Controller) deleteEach(ctx context.Context, r catalog.Resource, items []*object.Encoded) error {
	for _, item := range items {
		meta, err := item.Meta()
		if err != nil {
			return err
		}
		err = c.client.Delete(ctx, r, meta.Namespace, meta.Name, client.DeleteOptions{PropagationPolicy: "Background", UID: meta.UID})
		if ignore(err, "NotFound") != nil {
			return err
		}
	}
	return nil
}

// finalize takes away what kept the namespace; where nothing else does, the
// server removes it then. Finalizers of others stay.
//
// Upstream: pkg/controller/namespace/deletion/namespaced_resources_deleter.go finalizeNamespace
func (c *Controller) finalize(ctx context.Context, name string) error {
	live, err := c.client.Get(ctx, namespaces, "", name)
	if err != nil {
		return ignore(err, "NotFound")
	}
	shared, err := live.Object()
	if err != nil {
		return err
	}
	ns := shared.DeepCopy()
	spec := rules.Make(ns.Fields, "spec")
	spec["finalizers"] = slices.DeleteFunc(rules.List(spec, "finalizers"), func(f any) bool { return f == finalizer })
	_, err = c.client.Update(ctx, namespaces, "finalize", ns)
	return ignore(err, "NotFound")
}

// ignore is err, unless it has this reason.
func ignore(err error, reason string) error {
	if status.Is(err, reason) {
		return nil
	}
	return err
}
