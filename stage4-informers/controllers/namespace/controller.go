package namespace

import (
	"context"
	"log"
	"slices"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	stage3 "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
)

// retryAfter is how long the controller waits before it looks again at a
// namespace in which something is left.
const retryAfter = 500 * time.Millisecond

// Controller deletes the content of terminating namespaces.
type Controller struct {
	client    *client.Client
	inventory *stage3.Inventory
	row       catalog.Resource

	seen chan string // names of namespaces that are being deleted
	done chan struct{}
}

// New registers the controller with the informer of namespaces. It works while
// Run does.
func New(c *client.Client, inventory *stage3.Inventory, f *informers.SharedInformerFactory) *Controller {
	row := catalog.Resource{Version: "v1", Name: "namespaces", Kind: "Namespace"}
	ctl := &Controller{client: c, inventory: inventory, row: row, seen: make(chan string), done: make(chan struct{})}
	f.ForResource(row).AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    ctl.look,
		UpdateFunc: func(_, obj any) { ctl.look(obj) },
	})
	return ctl
}

// look tells Run of a namespace that is being deleted.
func (c *Controller) look(item any) {
	ns, err := item.(*object.Encoded).Object()
	if err != nil || ns.Meta.DeletionTimestamp == "" {
		return
	}
	select {
	case c.seen <- ns.Meta.Name:
	case <-c.done:
	}
}

// Run works until ctx ends, with one goroutine for each namespace that is
// being deleted, and waits for them.
func (c *Controller) Run(ctx context.Context) {
	defer close(c.done)
	var workers sync.WaitGroup
	defer workers.Wait()
	working := map[string]bool{}
	finished := make(chan string)
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-finished:
			delete(working, name)
		case name := <-c.seen:
			if working[name] {
				continue
			}
			working[name] = true
			workers.Go(func() {
				c.empty(ctx, name)
				select {
				case finished <- name:
				case <-ctx.Done():
				}
			})
		}
	}
}

// empty deletes what is in the namespace again and again until nothing is
// left, then finalizes it.
func (c *Controller) empty(ctx context.Context, name string) {
	for {
		left, err := c.deleteContent(ctx, name)
		if err == nil && left == 0 {
			err = c.finalize(ctx, name)
			if err == nil || status.Is(err, "NotFound") {
				return
			}
		}
		if err != nil && ctx.Err() == nil {
			log.Printf("namespace %s: deleting its content: %v (will try again)", name, err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(retryAfter):
		}
	}
}

// deleteContent deletes every object of every kind, kinds added at run time
// included, and counts what stays behind because a finalizer keeps it.
func (c *Controller) deleteContent(ctx context.Context, name string) (left int, err error) {
	for _, g := range c.inventory.List() {
		for _, r := range g.Resources {
			if !r.Namespaced || r.Subresource != "" || !slices.Contains(r.Verbs, "list") || !slices.Contains(r.Verbs, "delete") {
				continue
			}
			n, err := c.deleteAll(ctx, r.Resource, name, slices.Contains(r.Verbs, "deletecollection"))
			if err != nil {
				return 0, err
			}
			left += n
		}
	}
	return left, nil
}

func (c *Controller) deleteAll(ctx context.Context, r catalog.Resource, namespace string, atOnce bool) (left int, err error) {
	list, err := c.client.ListerWatcher(r, namespace).List(ctx, cache.ListOptions{})
	if err != nil || len(list.Items) == 0 {
		return 0, err
	}
	if atOnce {
		err = c.client.DeleteCollection(ctx, r, namespace)
	} else {
		err = c.deleteEach(ctx, r, list.Items)
	}
	if err != nil {
		return 0, err
	}
	list, err = c.client.ListerWatcher(r, namespace).List(ctx, cache.ListOptions{})
	return len(list.Items), err
}

func (c *Controller) deleteEach(ctx context.Context, r catalog.Resource, items []*object.Encoded) error {
	for _, item := range items {
		obj, err := item.Object()
		if err != nil {
			return err
		}
		if err := c.client.Delete(ctx, r, obj.Meta.Namespace, obj.Meta.Name, obj.Meta.UID); err != nil && !status.Is(err, "NotFound") {
			return err
		}
	}
	return nil
}

// finalize takes away the finalizer that kept the namespace: the server
// removes it then.
func (c *Controller) finalize(ctx context.Context, name string) error {
	live, err := c.client.Get(ctx, c.row, "", name)
	if err != nil {
		return err
	}
	shared, err := live.Object()
	if err != nil {
		return err
	}
	ns := shared.DeepCopy()
	ns.Fields["spec"] = map[string]any{}
	_, err = c.client.Update(ctx, c.row, "finalize", ns)
	return err
}
