package noderestriction

import (
	"context"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// references are the kinds of objects that a pod may refer to; in says whether
// the spec of a pod does.
var references = []struct {
	what string
	in   func(spec rules.Tree) bool
}{
	{"secrets", func(s rules.Tree) bool {
		return len(rules.List(s, "imagePullSecrets")) > 0 || inVolumes(s, "secret") || inEnvironment(s, "secretKeyRef", "secretRef") || inVolumesSecretRef(s)
	}},
	{"configmaps", func(s rules.Tree) bool {
		return inVolumes(s, "configMap") || inEnvironment(s, "configMapKeyRef", "configMapRef")
	}},
	{"clustertrustbundles", func(s rules.Tree) bool { return inVolumes(s, "clusterTrustBundle") }},
	{"persistentvolumeclaims", func(s rules.Tree) bool { return inVolumes(s, "persistentVolumeClaim") }},
}

// inVolumes looks for a source of volumes, also among those that are projected into one.
func inVolumes(spec rules.Tree, source string) bool {
	for _, v := range rules.Items(spec, "volumes") {
		if v[source] != nil {
			return true
		}
		for _, p := range rules.Items(v, "projected", "sources") {
			if p[source] != nil {
				return true
			}
		}
	}
	return false
}

// inVolumesSecretRef looks for storage that is opened with a secret.
func inVolumesSecretRef(spec rules.Tree) bool {
	for _, v := range rules.Items(spec, "volumes") {
		for _, source := range v {
			t, _ := source.(rules.Tree)
			if t["secretRef"] != nil || t["nodePublishSecretRef"] != nil || t["secretName"] != nil {
				return true
			}
		}
	}
	return false
}

func inEnvironment(spec rules.Tree, one, whole string) bool {
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for _, c := range rules.Items(spec, list) {
			for _, e := range rules.Items(c, "env") {
				if rules.Get(e, "valueFrom", one) != nil {
					return true
				}
			}
			for _, e := range rules.Items(c, "envFrom") {
				if e[whole] != nil {
					return true
				}
			}
		}
	}
	return false
}

// token: a node asks for tokens of the pods that it runs.
//
// Now: plugin/pkg/admission/noderestriction/admission.go admitServiceAccount
func (w write) token(ctx context.Context) error {
	if w.Operation != rest.Create || w.Subresource != "token" {
		return nil
	}
	ref := rules.Map(w.Object.Fields, "spec", "boundObjectRef")
	if ref == nil || ref["apiVersion"] != "v1" || ref["kind"] != "Pod" || rules.Text(ref, "name") == "" {
		return admission.Forbidden(w.Attributes, "node requested token not bound to a pod")
	}
	uid := rules.Text(ref, "uid")
	if uid == "" {
		return admission.Forbidden(w.Attributes, "node requested token with a pod binding without a uid")
	}
	pod, err := w.pod(ctx, rules.Text(ref, "name"))
	switch {
	case err != nil:
		return err
	case pod.Meta.UID != uid:
		return admission.Forbidden(w.Attributes, fmt.Sprintf("the UID in the bound object reference (%s) does not match the UID in record. The object might have been deleted and then recreated", uid))
	case nodeOf(pod) != w.node:
		return admission.Forbidden(w.Attributes, "node requested token bound to a pod scheduled on a different node")
	}
	return nil
}

// claims: a node says how large a volume has become.
//
// Now: plugin/pkg/admission/noderestriction/admission.go admitPVCStatus
func (w write) claims() error {
	switch {
	case w.Subresource != "status":
		return admission.Forbidden(w.Attributes, "may only update PVC status")
	case w.Operation != rest.Update:
		return w.unexpected()
	}
	now, before := w.Object.DeepCopy(), w.Old.DeepCopy()
	for _, name := range []string{"capacity", "conditions", "allocatedResources", "allocatedResourceStatuses"} {
		delete(rules.Map(now.Fields, "status"), name)
		delete(rules.Map(before.Fields, "status"), name)
	}
	now.Meta.ManagedFields, before.Meta.ManagedFields = nil, nil
	if string(now.Encode()) != string(before.Encode()) {
		return w.refuse("is not allowed to update fields other than status.capacity and status.conditions")
	}
	return nil
}

// leases: a node has one, by which it shows that it is alive.
//
// Now: plugin/pkg/admission/noderestriction/admission.go admitLease
func (w write) leases() error {
	const where = "kube-node-lease"
	if w.Key.Namespace != where {
		return admission.Forbidden(w.Attributes, fmt.Sprintf("can only access leases in the %q system namespace", where))
	}
	return w.own("node lease")
}

// own: of such objects each node has the one that is called like it.
func (w write) own(what string) error {
	if w.Key.Name != w.node {
		return admission.Forbidden(w.Attributes, "can only access "+what+" with the same name as the requesting node")
	}
	return nil
}
