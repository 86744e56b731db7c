package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
)

// Name is what --admission-control calls the plugin.
const Name = "NamespaceLifecycle"

var immortal = []string{"default", "kube-system", "kube-public"}

var namespaces = catalog.Resource{Version: "v1", Name: "namespaces", Kind: "Namespace"}

// New makes the plugin. It works once it was given informers and a client.
func New() optionsadmission.Interface {
	return &plugin{Handler: admission.Handler{rest.Create, rest.Update, rest.Delete}, deleted: map[string]time.Time{}}
}

type plugin struct {
	admission.Handler
	informer cache.SharedIndexInformer
	loopback *client.Client

	mu      sync.Mutex           // guards deleted
	deleted map[string]time.Time // namespaces somebody asked to delete: the informer may not know yet
}

// distrust is for how long the informer is not asked about such a namespace.
const distrust = 30 * time.Second

// remember notes that a namespace is being deleted, and forgets older notes.
func (p *plugin) remember(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.deleted, func(_ string, at time.Time) bool { return time.Since(at) > distrust })
	p.deleted[name] = time.Now()
}

func (p *plugin) remembers(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.deleted[name]
	return ok && time.Since(at) <= distrust
}

// SetInformers asks for an informer of namespaces, which the hook will start.
func (p *plugin) SetInformers(f *informers.SharedInformerFactory) {
	p.informer = f.ForResource(namespaces)
}

// SetLoopback gives the client for what the informer does not know yet.
func (p *plugin) SetLoopback(c *client.Client) { p.loopback = c }

// ValidateInitialization says whether everything needed was given.
func (p *plugin) ValidateInitialization() error {
	if p.informer == nil || p.loopback == nil {
		return errors.New("missing informers or client")
	}
	return nil
}

// Admit refuses by the state of the namespace.
func (p *plugin) Admit(ctx context.Context, a *admission.Attributes) error {
	isNamespace := a.Resource.Group == "" && a.Resource.Name == "namespaces"
	switch {
	case isNamespace && a.Operation == rest.Delete && slices.Contains(immortal, a.Key.Name):
		return admission.Forbidden(a, "this namespace may not be deleted")
	case isNamespace && a.Operation == rest.Delete:
		p.remember(a.Key.Name)
		return nil
	case isNamespace, a.Key.Namespace == "", a.Operation == rest.Delete:
		return nil
	case a.Operation == rest.Update:
		return nil // what is in a namespace that goes may still change: finalizers have to
	}
	ns, err := p.find(ctx, a.Key.Namespace)
	if err != nil {
		return err
	}
	if ns.Meta.DeletionTimestamp == "" {
		return nil
	}
	refused := admission.Forbidden(a, fmt.Sprintf("unable to create new content in namespace %s because it is being terminated", a.Key.Namespace))
	if s, ok := errors.AsType[*status.Status](refused); ok {
		s.Details.Causes = []status.Cause{{Reason: "NamespaceTerminating", Field: "metadata.namespace",
			Message: fmt.Sprintf("namespace %s is being terminated", a.Key.Namespace)}}
	}
	return refused
}

// find asks the informer first. Only an answer that lets the write pass is
// taken from there: a namespace that seems to be missing or going may have
// been made anew a moment ago.
func (p *plugin) find(ctx context.Context, name string) (*object.Object, error) {
	if item, known := p.informer.GetStore().GetByKey(name); known && p.informer.HasSynced() && !p.remembers(name) {
		ns, err := item.Object()
		if err != nil || ns.Meta.DeletionTimestamp == "" {
			return ns, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	live, err := p.loopback.Get(ctx, namespaces, "", name)
	if err != nil {
		return nil, err
	}
	return live.Object()
}
