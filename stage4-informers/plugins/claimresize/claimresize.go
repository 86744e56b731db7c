package claimresize

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// Name is what --enable-admission-plugins calls the plugin.
const Name = "PersistentVolumeClaimResize"

var classes = catalog.Resource{Group: "storage.k8s.io", Version: "v1", Name: "storageclasses", Kind: "StorageClass"}

// New makes the plugin. It works once it was given a client.
func New() optionsadmission.Interface { return &plugin{Handler: admission.Handler{rest.Update}} }

type plugin struct {
	admission.Handler
	listers.Live
}

// Validate refuses what nobody would do.
func (p *plugin) Validate(ctx context.Context, a *admission.Attributes) error {
	if !a.Of("persistentvolumeclaims") || !grows(a.Object, a.Old) {
		return nil
	}
	if rules.Text(a.Old.Fields, "status", "phase") != "Bound" {
		return admission.Forbidden(a, "Only bound persistent volume claims can be expanded")
	}
	expands, err := p.expands(ctx, classOf(a.Object), classOf(a.Old))
	if err != nil {
		return err
	}
	if !expands {
		return admission.Forbidden(a, "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize")
	}
	return nil
}

func grows(claim, old *object.Object) bool {
	is, ok := rules.Quantity(rules.Get(claim.Fields, "spec", "resources", "requests", "storage"))
	was, ok2 := rules.Quantity(rules.Get(old.Fields, "spec", "resources", "requests", "storage"))
	return ok && ok2 && is.Cmp(was) > 0
}

func classOf(claim *object.Object) string {
	return cmp.Or(claim.Meta.Annotations["volume.beta.kubernetes.io/storage-class"], rules.Text(claim.Fields, "spec", "storageClassName"))
}

func (p *plugin) expands(ctx context.Context, name, oldName string) (bool, error) {
	if name == "" || name != oldName {
		return false, nil
	}
	item, err := p.Client.Get(ctx, classes, "", name)
	if s, ok := errors.AsType[*status.Status](err); ok && s.Code == http.StatusNotFound {
		return false, nil // no such class, or a server without classes
	}
	if err != nil {
		return false, err
	}
	class, err := item.Object()
	return err == nil && class.Fields["allowVolumeExpansion"] == true, err
}
