package garbagecollector

import (
	"context"
	"fmt"
	"slices"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/client"
)

// look does what there is to do about one object.
func (c *Controller) look(ctx context.Context, uid string) error {
	n := c.graph.get(uid)
	switch {
	case n == nil:
		return nil
	case n.deleting() && n.has(orphanFinalizer):
		return c.orphan(ctx, n)
	case n.waits():
		return c.foreground(ctx, n)
	case n.deleting(), c.graph.settled(n):
		return nil
	}
	return c.collect(ctx, n)
}

// owners are those of one object, by what they mean for it.
type owners struct {
	solid   int             // stay
	absent  map[string]bool // UIDs: do not exist
	waiting map[string]bool // UIDs: go when their dependents have gone
}

// collect deletes an object if none of its owners stays. Before that the
// server itself is asked about it and about them: the graph may be behind.
//
// Upstream: pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem
func (c *Controller) collect(ctx context.Context, n *node) error {
	live, err := c.get(ctx, n)
	if err != nil || live == nil || live.DeletionTimestamp != "" {
		return err
	}
	found, sure, err := c.classify(ctx, n.row, live)
	if err != nil || !sure || len(live.OwnerReferences) == 0 {
		return err
	}
	leaving := func(ref object.OwnerReference) bool { return found.absent[ref.UID] || found.waiting[ref.UID] }
	if found.solid > 0 {
		if !slices.ContainsFunc(live.OwnerReferences, leaving) {
			return nil
		}
		return c.patch(ctx, n.row, live, "ownerReferences", slices.DeleteFunc(slices.Clone(live.OwnerReferences), leaving))
	}
	policy := "Background"
	dependents := c.graph.dependentsOf(live.UID)
	switch {
	case len(found.waiting) > 0 && len(dependents) > 0:
		policy = "Foreground" // its own dependents go before it
		if slices.ContainsFunc(dependents, (*node).waits) {
			if live, err = c.unblock(ctx, n, live); err != nil {
				return err
			}
		}
	case slices.Contains(live.Finalizers, orphanFinalizer):
		policy = "Orphan"
	case slices.Contains(live.Finalizers, foregroundFinalizer):
		policy = "Foreground"
	}
	err = c.metadata.Delete(ctx, n.row, live.Namespace, live.Name, client.DeleteOptions{PropagationPolicy: policy, UID: live.UID, ResourceVersion: live.ResourceVersion})
	return ignoreNotFound(err)
}

// unblock ends a circle: its owner waits for this object, and one of its
// dependents, perhaps the same, waits already. Somebody has to go first.
func (c *Controller) unblock(ctx context.Context, n *node, live *object.Meta) (*object.Meta, error) {
	no := false
	refs := slices.Clone(live.OwnerReferences)
	for i := range refs {
		refs[i].BlockOwnerDeletion = &no
	}
	if err := c.patch(ctx, n.row, live, "ownerReferences", refs); err != nil {
		return nil, err
	}
	again, err := c.get(ctx, n)
	if err == nil && again == nil {
		again = live // gone meanwhile, which the deletion will find
	}
	return again, err
}

// classify asks about every owner. sure is false where that is not possible:
// nobody serves the owner's kind, or an object outside of all namespaces names
// an owner inside of one, which may be in any.
func (c *Controller) classify(ctx context.Context, row catalog.Resource, m *object.Meta) (found owners, sure bool, err error) {
	found = owners{absent: map[string]bool{}, waiting: map[string]bool{}}
	for _, ref := range m.OwnerReferences {
		at, served := c.rowOf(ref)
		switch {
		case !served:
			return found, false, nil
		case at.Namespaced && !row.Namespaced:
			c.complain(ctx, row, m, ref)
			return found, false, nil
		}
		if known := c.graph.get(ref.UID); known != nil && !known.isAt(ref, m.Namespace) {
			c.complain(ctx, row, m, ref)
		}
		owner, err := c.owner(ctx, at, m.Namespace, ref)
		switch {
		case err != nil:
			return found, false, err
		case owner == nil:
			found.absent[ref.UID] = true
		case owner.DeletionTimestamp != "" && slices.Contains(owner.Finalizers, foregroundFinalizer):
			found.waiting[ref.UID] = true
		default:
			found.solid++
		}
	}
	return found, true, nil
}

// owner returns the object that ref means; nil where there is none. Owners are
// looked for in the namespace of their dependent and nowhere else.
func (c *Controller) owner(ctx context.Context, r catalog.Resource, namespace string, ref object.OwnerReference) (*object.Meta, error) {
	if c.graph.sawGo(ref.UID) {
		return nil, nil
	}
	if !r.Namespaced {
		namespace = ""
	}
	return c.get(ctx, &node{r, &object.Meta{Namespace: namespace, Name: ref.Name, UID: ref.UID}})
}

// complain tells people of a reference that points nowhere: the owner is in
// another namespace.
func (c *Controller) complain(ctx context.Context, row catalog.Resource, m *object.Meta, ref object.OwnerReference) {
	about := &object.Object{APIVersion: row.APIVersion(), Kind: row.Kind, Meta: *m}
	c.events.Event(ctx, about, "Warning", "OwnerRefInvalidNamespace", fmt.Sprintf("ownerRef [%s/%s, namespace: %s, name: %s, uid: %s] does not exist in namespace %q",
		ref.APIVersion, ref.Kind, m.Namespace, ref.Name, ref.UID, m.Namespace))
}

// rowOf finds the resource of an owner.
func (c *Controller) rowOf(ref object.OwnerReference) (catalog.Resource, bool) {
	for _, g := range c.installed.List() {
		for _, r := range g.Resources {
			if r.Subresource == "" && r.Kind == ref.Kind && r.APIVersion() == ref.APIVersion {
				return r.Resource, true
			}
		}
	}
	return catalog.Resource{}, false
}

// foreground has the dependents deleted that block an owner; where none does,
// it lets the owner go.
//
// Upstream: pkg/controller/garbagecollector/garbagecollector.go processDeletingDependentsItem
func (c *Controller) foreground(ctx context.Context, n *node) error {
	blocked := false
	for _, dependent := range c.graph.dependentsOf(n.meta.UID) {
		for _, ref := range dependent.meta.OwnerReferences {
			if ref.UID == n.meta.UID && ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion {
				blocked = true
				c.queue.Add(dependent.meta.UID)
			}
		}
	}
	if blocked {
		return nil // the last of them will bring the owner here again
	}
	return c.removeFinalizer(ctx, n, foregroundFinalizer)
}

// orphan has all dependents forget an owner and then lets the owner go.
//
// Upstream: pkg/controller/garbagecollector/garbagecollector.go attemptToOrphanWorker
func (c *Controller) orphan(ctx context.Context, n *node) error {
	for _, dependent := range c.graph.dependentsOf(n.meta.UID) {
		live, err := c.get(ctx, dependent)
		if err != nil {
			return err
		}
		if live == nil {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(live.OwnerReferences), func(ref object.OwnerReference) bool { return ref.UID == n.meta.UID })
		if len(others) == len(live.OwnerReferences) {
			continue
		}
		if err := c.patch(ctx, dependent.row, live, "ownerReferences", others); err != nil {
			return err
		}
	}
	return c.removeFinalizer(ctx, n, orphanFinalizer)
}

func (c *Controller) removeFinalizer(ctx context.Context, n *node, finalizer string) error {
	live, err := c.get(ctx, n)
	if err != nil || live == nil || !slices.Contains(live.Finalizers, finalizer) {
		return err
	}
	return c.patch(ctx, n.row, live, "finalizers", slices.DeleteFunc(slices.Clone(live.Finalizers), func(f string) bool { return f == finalizer }))
}

// get returns the metadata of the node's object as it is now; nil where it is
// gone, or another object has its name.
func (c *Controller) get(ctx context.Context, n *node) (*object.Meta, error) {
	live, err := c.metadata.Get(ctx, n.row, n.meta.Namespace, n.meta.Name)
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	meta, err := live.Meta()
	if err != nil || meta.UID != n.meta.UID {
		return nil, err
	}
	return meta, nil
}

// patch changes one field of the metadata, if the object is still as in live.
func (c *Controller) patch(ctx context.Context, r catalog.Resource, live *object.Meta, field string, value any) error {
	_, err := c.metadata.Patch(ctx, r, live.Namespace, live.Name, "", map[string]any{"metadata": map[string]any{
		"uid": live.UID, "resourceVersion": live.ResourceVersion, field: value,
	}})
	return ignoreNotFound(err)
}

func ignoreNotFound(err error) error {
	if status.Is(err, "NotFound") {
		return nil
	}
	return err
}
