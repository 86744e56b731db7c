package exists

import (
	"context"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// What --admission-control calls the plugins.
const (
	Name          = "NamespaceExists"
	NameProvision = "NamespaceAutoProvision"
)

var namespaces = catalog.Resource{Version: "v1", Name: "namespaces", Kind: "Namespace"}

// base is what both plugins need.
type base struct {
	admission.Handler
	listers.Namespaces
}

// known reports whether the namespace of a write need not be looked for: there
// is none, it is the object itself, or the informer knows it.
func (b *base) known(ctx context.Context, a *admission.Attributes) (bool, error) {
	if a.Key.Namespace == "" || a.Resource.GroupResource() == "namespaces" {
		return true, nil
	}
	if err := b.Known.Wait(ctx, a); err != nil {
		return false, err
	}
	namespace, err := b.Known.Get("", a.Key.Namespace)
	return namespace != nil, err
}

// exists is the plugin NamespaceExists.
//
// Upstream: plugin/pkg/admission/namespace/exists/admission.go exists
type exists struct{ base }

// New makes the plugin NamespaceExists.
func New() optionsadmission.Interface {
	return &exists{base{Handler: admission.Handler{rest.Create, rest.Update, rest.Delete}}}
}

// Validate refuses what is in no namespace that is there.
func (p *exists) Validate(ctx context.Context, a *admission.Attributes) error {
	if known, err := p.known(ctx, a); known || err != nil {
		return err
	}
	_, err := p.Find(ctx, a.Key.Namespace)
	return err
}

// provision is the plugin NamespaceAutoProvision.
//
// Upstream: plugin/pkg/admission/namespace/autoprovision/admission.go provision
type provision struct{ base }

// NewProvision makes the plugin NamespaceAutoProvision.
func NewProvision() optionsadmission.Interface {
	return &provision{base{Handler: admission.Handler{rest.Create}}}
}

// Admit makes the namespace of whatever is created. A dry run makes nothing,
// so it goes no further.
func (p *provision) Admit(ctx context.Context, a *admission.Attributes) error {
	if known, err := p.known(ctx, a); known || err != nil {
		return err
	}
	if a.DryRun {
		_, err := p.Find(ctx, a.Key.Namespace)
		return err
	}
	namespace := &object.Object{APIVersion: "v1", Kind: "Namespace", Meta: object.Meta{Name: a.Key.Namespace}}
	if _, err := p.Client.Create(ctx, namespaces, "", namespace); err != nil && !status.Is(err, "AlreadyExists") {
		return admission.Forbidden(a, err.Error())
	}
	return nil
}
