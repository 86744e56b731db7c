package admission

import (
	"cmp"
	"context"
	"slices"

	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Attributes are what a plugin learns about a write.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go Attributes
type Attributes struct {
	Operation   rest.Operation
	Resource    catalog.Resource
	Subresource string
	Kind        string // of Object: a subresource may have its own
	Key         rest.Key
	Object      *object.Object // nil for Delete; a plugin that mutates may change it
	Old         *object.Object // nil for Create; read only
	User        request.User
	DryRun      bool // nothing outside the object may be changed
	Generated   bool // the name is the server's: it is not in Key before Validate
	Taken       bool // another object has the name: the write will fail in the end
	Options     rest.DeleteOptions
}

// Of reports whether the write is about objects of a resource, such as "pods"
// or "deployments.apps", and not about a subresource of theirs.
func (a *Attributes) Of(groupResource string) bool {
	return a.Subresource == "" && a.Resource.GroupResource() == groupResource
}

// Handler is the part of a plugin that says which operations it wants to see.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/handler.go Handler
type Handler []rest.Operation

// Handles is part of a plugin's interface.
func (h Handler) Handles(operation string) bool { return slices.Contains(h, rest.Operation(operation)) }

// MutationInterface is a plugin that may change the object.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go Interface
// Now: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go MutationInterface
type MutationInterface interface {
	Admit(ctx context.Context, a *Attributes) error
}

// ValidationInterface is a plugin that only judges.
//
// Now: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go ValidationInterface
type ValidationInterface interface {
	Validate(ctx context.Context, a *Attributes) error
}

// Chain is what the plugins of --admission-control became, in flag order.
// The nil Chain admits everything.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/chain.go chainAdmissionHandler
type Chain []admission.Interface

// Admit lets every plugin that mutates have its turn; the first error ends it.
func (c Chain) Admit(ctx context.Context, a *Attributes) error {
	if a.Generated {
		name := a.Key.Name
		a.Key.Name = ""
		defer func() { a.Key.Name = name }()
	}
	for _, p := range c {
		if m, ok := p.(MutationInterface); ok && p.Handles(string(a.Operation)) {
			if err := m.Admit(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// Validate asks every plugin that judges; the first error ends it.
func (c Chain) Validate(ctx context.Context, a *Attributes) error {
	for _, p := range c {
		if v, ok := p.(ValidationInterface); ok && p.Handles(string(a.Operation)) {
			if err := v.Validate(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// Forbidden is the answer of a plugin that refuses.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/errors.go NewForbidden
func Forbidden(a *Attributes, why string) error {
	name := a.Key.Name
	if name == "" && a.Object != nil {
		name = a.Object.Meta.GenerateName
	}
	return status.Forbidden(a.Resource.Named(), cmp.Or(name, "Unknown"), why)
}
