package replication

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
)

// controllerOf is the reference to the one owner that manages an object.
func controllerOf(m *object.Meta) *object.OwnerReference {
	for i, ref := range m.OwnerReferences {
		if ref.Controller != nil && *ref.Controller {
			return &m.OwnerReferences[i]
		}
	}
	return nil
}

func selects(rc *object.Object, pod *object.Meta) bool {
	selector := rules.Strings(rc.Fields, "spec", "selector")
	return len(selector) > 0 && hasAll(pod.Labels, selector)
}

// active: a pod that has ended, or is about to, is none of those wanted.
func active(pod *object.Object) bool {
	phase := rules.Text(pod.Fields, "status", "phase")
	return pod.Meta.DeletionTimestamp == "" && phase != "Succeeded" && phase != "Failed"
}

// claim returns the active pods of a replication controller. A pod that it
// selects and that nobody manages becomes its own; one of its own that it no
// longer selects is set free.
//
// Upstream: pkg/controller/controller_ref_manager.go ClaimPods
func (c *Controller) claim(ctx context.Context, rc *object.Object) (claimed []*object.Object, err error) {
	checked := false // whether the replication controller itself was looked at
	for _, item := range c.pods.GetIndexer().ByNamespace(rc.Meta.Namespace) {
		meta, err := item.Meta()
		if err != nil {
			return nil, err
		}
		ref, selected := controllerOf(meta), selects(rc, meta)
		if ref == nil && !selected || ref != nil && ref.UID != rc.Meta.UID {
			continue
		}
		pod, err := item.Object()
		if err != nil || !active(pod) {
			continue
		}
		switch {
		case ref == nil && rc.Meta.DeletionTimestamp == "":
			if !checked {
				if err := c.stillThere(ctx, rc); err != nil {
					return nil, err
				}
				checked = true
			}
			if err := c.adopt(ctx, rc, pod); err != nil {
				return nil, err
			}
		case ref == nil:
			continue
		case !selected:
			if err := c.release(ctx, rc, pod); err != nil {
				return nil, err
			}
			continue
		}
		claimed = append(claimed, pod)
	}
	return claimed, nil
}

// stillThere asks the server itself before a pod is adopted: a cache that is
// behind would give it to somebody who is being deleted, and the pod with him.
func (c *Controller) stillThere(ctx context.Context, rc *object.Object) error {
	live, err := c.client.Get(ctx, replicationControllers, rc.Meta.Namespace, rc.Meta.Name)
	if err != nil {
		return err
	}
	fresh, err := live.Object()
	if err == nil && (fresh.Meta.UID != rc.Meta.UID || fresh.Meta.DeletionTimestamp != "") {
		err = fmt.Errorf("%s is another one now, or is being deleted: it adopts nobody", rc.Meta.Name)
	}
	return err
}

func (c *Controller) adopt(ctx context.Context, rc, pod *object.Object) error {
	return c.setOwners(ctx, pod, append(slices.Clone(pod.Meta.OwnerReferences), reference(rc)))
}

func (c *Controller) release(ctx context.Context, rc, pod *object.Object) error {
	others := slices.DeleteFunc(slices.Clone(pod.Meta.OwnerReferences), func(r object.OwnerReference) bool { return r.UID == rc.Meta.UID })
	return c.setOwners(ctx, pod, others)
}

// setOwners writes only if the pod is still the one in the cache.
func (c *Controller) setOwners(ctx context.Context, pod *object.Object, owners []object.OwnerReference) error {
	_, err := c.client.Patch(ctx, podRow, pod.Meta.Namespace, pod.Meta.Name, "", map[string]any{"metadata": map[string]any{
		"uid": pod.Meta.UID, "resourceVersion": pod.Meta.ResourceVersion, "ownerReferences": owners,
	}})
	if status.Is(err, "NotFound") {
		return nil
	}
	return err
}

// reference makes the pod one that goes with rc, and that rc waits for in a
// foreground deletion.
func reference(rc *object.Object) object.OwnerReference {
	yes := true
	return object.OwnerReference{APIVersion: "v1", Kind: replicationControllers.Kind, Name: rc.Meta.Name, UID: rc.Meta.UID, Controller: &yes, BlockOwnerDeletion: &yes}
}

// fromTemplate makes a pod. The server completes its name.
//
// Upstream: pkg/controller/controller_utils.go GetPodFromTemplate
func fromTemplate(rc *object.Object) *object.Object {
	template := rules.Map(rc.Fields, "spec", "template")
	return &object.Object{
		APIVersion: "v1", Kind: podRow.Kind,
		Meta: object.Meta{
			Namespace: rc.Meta.Namespace, GenerateName: rc.Meta.Name + "-",
			Labels: rules.Strings(template, "metadata", "labels"), Annotations: rules.Strings(template, "metadata", "annotations"),
			Finalizers: rules.Texts(template, "metadata", "finalizers"), OwnerReferences: []object.OwnerReference{reference(rc)},
		},
		Fields: map[string]any{"spec": object.CopyTree(rules.Map(template, "spec"))},
	}
}

// condition is a condition of a pod that is true; nil where it is not.
func condition(pod *object.Object, kind string) rules.Tree {
	for _, is := range rules.Items(pod.Fields, "status", "conditions") {
		if rules.Text(is, "type") == kind && rules.Text(is, "status") == "True" {
			return is
		}
	}
	return nil
}

// ranked orders pods by who is missed least: those that run nowhere, do not
// run yet, are not ready, cost less, are younger. The name decides last, so
// that two who count the same pods come to the same result.
//
// Upstream: pkg/controller/controller_utils.go ActivePods
func ranked(pods []*object.Object) []*object.Object {
	phases := map[string]int{"Pending": 0, "Unknown": 1, "Running": 2}
	return slices.SortedFunc(slices.Values(pods), func(a, b *object.Object) int {
		return cmp.Or(
			bit(rules.Text(a.Fields, "spec", "nodeName") != "")-bit(rules.Text(b.Fields, "spec", "nodeName") != ""),
			cmp.Compare(phases[rules.Text(a.Fields, "status", "phase")], phases[rules.Text(b.Fields, "status", "phase")]),
			bit(condition(a, "Ready") != nil)-bit(condition(b, "Ready") != nil),
			cmp.Compare(cost(a), cost(b)),
			cmp.Compare(b.Meta.CreationTimestamp, a.Meta.CreationTimestamp),
			cmp.Compare(a.Meta.Name, b.Meta.Name),
		)
	})
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// cost is what the pod's owner says that its deletion costs.
func cost(pod *object.Object) int {
	n, _ := strconv.Atoi(pod.Meta.Annotations["controller.kubernetes.io/pod-deletion-cost"]) // 0 where he says nothing of use
	return n
}
