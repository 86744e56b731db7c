package noderestriction

import (
	"context"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

const mirror = "kubernetes.io/config.mirror"

// pods: a node shows the pods that it runs unasked, and ends those that it runs.
//
// Upstream: plugin/pkg/admission/noderestriction/admission.go admitPod
func (w write) pods(ctx context.Context) error {
	switch {
	case w.Subresource == "" && w.Operation == rest.Create:
		return w.mirror(ctx)
	case w.Subresource == "" && w.Operation == rest.Delete:
		if nodeOf(w.Old) != w.node {
			return w.refuse("can only delete pods with spec.nodeName set to itself")
		}
		return nil
	case w.Subresource == "":
		return admission.Forbidden(w.Attributes, fmt.Sprintf("unexpected operation %q, node %q can only create and delete mirror pods", w.Operation, w.node))
	case w.Subresource == "status" && w.Operation == rest.Update:
		switch {
		case nodeOf(w.Old) != w.node:
			return w.refuse("can only update pod status for pods with spec.nodeName set to itself")
		case !rules.Same(labels(w.Object), labels(w.Old)):
			return w.refuse("cannot update labels through pod status")
		case !rules.Same(rules.Get(w.Object.Fields, "status", "resourceClaimStatuses"), rules.Get(w.Old.Fields, "status", "resourceClaimStatuses")):
			return w.refuse("cannot update resource claim statues")
		}
		return nil
	case w.Subresource == "eviction" && w.Operation == rest.Create:
		pod, err := w.pod(ctx, w.Key.Name)
		if err == nil && nodeOf(pod) != w.node {
			err = admission.Forbidden(w.Attributes, fmt.Sprintf("node %s can only evict pods with spec.nodeName set to itself", w.node))
		}
		return err
	case w.Subresource == "status", w.Subresource == "eviction":
		return w.unexpected()
	}
	return admission.Forbidden(w.Attributes, fmt.Sprintf("unexpected pod subresource %q, only 'status' and 'eviction' are allowed", w.Subresource))
}

func nodeOf(pod *object.Object) string { return rules.Text(pod.Fields, "spec", "nodeName") }

func labels(o *object.Object) rules.Tree {
	t := rules.Tree{}
	for k, v := range o.Meta.Labels {
		t[k] = v
	}
	return t
}

func (w write) pod(ctx context.Context, name string) (*object.Object, error) {
	item, err := w.Client.Get(ctx, podResource, w.Key.Namespace, name)
	if err != nil {
		return nil, err
	}
	return item.Object()
}

// mirror: such a pod belongs to the node, and refers to nothing that the node
// could get to see by it.
//
// Now: plugin/pkg/admission/noderestriction/admission.go admitPodCreate
func (w write) mirror(ctx context.Context) error {
	pod := w.Object
	if _, is := pod.Meta.Annotations[mirror]; !is {
		return admission.Forbidden(w.Attributes, fmt.Sprintf("pod does not have %q annotation, node %q can only create mirror pods", mirror, w.node))
	}
	if nodeOf(pod) != w.node {
		return w.refuse("can only create pods with spec.nodeName set to itself")
	}
	if err := w.owned(ctx, pod.Meta.OwnerReferences); err != nil {
		return err
	}
	if rules.Text(pod.Fields, "spec", "serviceAccountName") != "" {
		return w.refuse("can not create pods that reference a service account")
	}
	for _, r := range references {
		if r.in(rules.Map(pod.Fields, "spec")) {
			return w.refuse("can not create pods that reference %s", r.what)
		}
	}
	return nil
}

func (w write) owned(ctx context.Context, owners []object.OwnerReference) error {
	if len(owners) > 1 {
		return w.refuse("can only create pods with a single owner reference set to itself")
	}
	if len(owners) == 0 || owners[0].APIVersion != "v1" || owners[0].Kind != "Node" || owners[0].Name != w.node {
		return w.refuse("can only create pods with an owner reference set to itself")
	}
	owner := owners[0]
	if owner.Controller == nil || !*owner.Controller {
		return w.refuse("can only create pods with a controller owner reference set to itself")
	}
	if owner.BlockOwnerDeletion != nil && *owner.BlockOwnerDeletion {
		return w.refuse("must not set blockOwnerDeletion on an owner reference")
	}
	item, err := w.Client.Get(ctx, nodeResource, "", w.node)
	if err != nil {
		return err
	}
	node, err := item.Object()
	if err == nil && node.Meta.UID != owner.UID {
		err = admission.Forbidden(w.Attributes, fmt.Sprintf("node %s UID mismatch: expected %s got %s", w.node, owner.UID, node.Meta.UID))
	}
	return err
}
