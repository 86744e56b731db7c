package serviceaccount

import (
	"context"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/controllers/workqueue"
	"example.com/kube-apiserver/stage4-informers/informers"
)

var (
	namespaces      = catalog.Resource{Version: "v1", Name: "namespaces", Kind: "Namespace"}
	serviceAccounts = catalog.Resource{Version: "v1", Name: "serviceaccounts", Kind: "ServiceAccount", Namespaced: true}
)

// name is that of the service account that every namespace has.
const name = "default"

// Controller creates service accounts.
type Controller struct {
	client               *client.Client
	namespaces, accounts cache.SharedIndexInformer
	queue                *workqueue.Queue[string] // names of namespaces
}

// New registers the controller with the informers of namespaces and service accounts.
func New(c *client.Client, f *informers.SharedInformerFactory) *Controller {
	ctl := &Controller{
		client: c, namespaces: f.ForResource(namespaces), accounts: f.ForResource(serviceAccounts),
		queue: workqueue.New[string]("serviceaccount controller"),
	}
	ctl.namespaces.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    ctl.lookAt,
		UpdateFunc: func(_, obj any) { ctl.lookAt(obj) },
	})
	ctl.accounts.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: ctl.lookAround})
	return ctl
}

func (c *Controller) lookAt(ns any) {
	if key, err := cache.MetaNamespaceKeyFunc(ns); err == nil {
		c.queue.Add(key)
	}
}

// lookAround has the namespace looked at from which a service account has gone.
func (c *Controller) lookAround(account any) {
	if key, err := cache.MetaNamespaceKeyFunc(account); err == nil {
		if namespace, deleted, err := cache.SplitMetaNamespaceKey(key); err == nil && deleted == name {
			c.queue.Add(namespace)
		}
	}
}

// Run works until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	if cache.WaitForCacheSync(ctx.Done(), c.namespaces.HasSynced, c.accounts.HasSynced) {
		c.queue.Run(ctx, 1, c.ensure)
	}
}

// ensure creates the service account of a namespace that is not being deleted.
// Where the cache is behind, the answer AlreadyExists does no harm.
//
// Upstream: pkg/controller/serviceaccount/serviceaccounts_controller.go syncNamespace
func (c *Controller) ensure(ctx context.Context, namespace string) error {
	item, exists := c.namespaces.GetStore().GetByKey(namespace)
	if _, has := c.accounts.GetStore().GetByKey(namespace + "/" + name); has || !exists {
		return nil
	}
	ns, err := item.Object()
	if err != nil || rules.Text(ns.Fields, "status", "phase") != "Active" {
		return err
	}
	account := &object.Object{APIVersion: "v1", Kind: serviceAccounts.Kind, Meta: object.Meta{Namespace: namespace, Name: name}}
	_, err = c.client.Create(ctx, serviceAccounts, namespace, account)
	if status.Is(err, "AlreadyExists") || status.Is(err, "NotFound") || client.HasCause(err, "NamespaceTerminating") {
		return nil
	}
	return err
}
