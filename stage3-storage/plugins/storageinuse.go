package plugins

import (
	"context"
	"slices"

	"example.com/kube-apiserver/stage3-storage/admission"
)

// storageInUse gives volumes and claims a finalizer, so that they stay while a
// pod or a claim uses them. A controller takes it away again; a server without
// one keeps what is deleted until somebody else does.
//
// Now: plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go storageProtectionPlugin
type storageInUse struct{ admission.Handler }

var protections = map[string]string{
	"persistentvolumes":                      "kubernetes.io/pv-protection",
	"persistentvolumeclaims":                 "kubernetes.io/pvc-protection",
	"volumeattributesclasses.storage.k8s.io": "kubernetes.io/vac-protection",
}

func (storageInUse) Admit(_ context.Context, a *admission.Attributes) error {
	finalizer := protections[a.Resource.GroupResource()]
	meta := &a.Object.Meta
	if finalizer != "" && a.Subresource == "" && !slices.Contains(meta.Finalizers, finalizer) {
		meta.Finalizers = append(meta.Finalizers, finalizer)
	}
	return nil
}
