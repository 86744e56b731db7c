package listers

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
)

// Lister reads the objects of one resource.
//
// Upstream: staging/src/k8s.io/client-go/listers/core/v1/limitrange.go LimitRangeLister
type Lister struct {
	resource catalog.Resource
	informer cache.SharedIndexInformer
}

// New asks for an informer of a resource of the core group. The hook starts it.
func New(f *informers.SharedInformerFactory, resource, kind string, namespaced bool) *Lister {
	r := catalog.Resource{Version: "v1", Name: resource, Kind: kind, Namespaced: namespaced}
	return &Lister{r, f.ForResource(r)}
}

// patience is how long a write waits for the informer's first list, which
// matters in the first moments of a server only.
const patience = 10 * time.Second

// Wait returns once there is something to read; the error answers the request.
func (l *Lister) Wait(ctx context.Context, a *admission.Attributes) error {
	if l.informer.HasSynced() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if !cache.WaitForCacheSync(ctx.Done(), l.informer.HasSynced) {
		return admission.Forbidden(a, "not yet ready to handle request")
	}
	return nil
}

// Get returns an object that the informer knows, or nil. namespace is "" for a
// cluster-scoped one. Objects are read only.
func (l *Lister) Get(namespace, name string) (*object.Object, error) {
	key := name
	if namespace != "" {
		key = namespace + "/" + name
	}
	item, known := l.informer.GetStore().GetByKey(key)
	if !known {
		return nil, nil
	}
	return item.Object()
}

// Find returns an object that the informer knows, or else asks the API: what is
// new may not have been heard of. What is not there is an error.
func (l *Lister) Find(ctx context.Context, c *client.Client, namespace, name string) (*object.Object, error) {
	if known, err := l.Get(namespace, name); known != nil || err != nil {
		return known, err
	}
	live, err := c.Get(ctx, l.resource, namespace, name)
	if err != nil {
		return nil, err
	}
	return live.Object()
}

// In returns the objects of a namespace by name, so that the first to refuse
// is always the same.
func (l *Lister) In(namespace string) ([]*object.Object, error) {
	var objects []*object.Object
	for _, item := range l.informer.GetIndexer().ByNamespace(namespace) {
		obj, err := item.Object()
		if err != nil {
			return nil, err
		}
		objects = append(objects, obj)
	}
	slices.SortFunc(objects, func(a, b *object.Object) int { return strings.Compare(a.Meta.Name, b.Meta.Name) })
	return objects, nil
}

// Live is how a plugin reads from the API itself what no informer follows: embed
// it, and the plugin is given the client, or is incomplete.
type Live struct{ Client *client.Client }

// SetLoopback gives the client.
func (l *Live) SetLoopback(c *client.Client) { l.Client = c }

// ValidateInitialization says whether it was given.
func (l *Live) ValidateInitialization() error {
	if l.Client == nil {
		return errors.New("missing client")
	}
	return nil
}

// Namespaces is how a plugin finds the namespace of a write: in an informer, or
// else in the API. Embed it, and the plugin is given both, or is incomplete.
type Namespaces struct {
	Live
	Known *Lister
}

// SetInformers asks for an informer of namespaces.
func (n *Namespaces) SetInformers(f *informers.SharedInformerFactory) {
	n.Known = New(f, "namespaces", "Namespace", false)
}

// ValidateInitialization says whether everything needed was given.
func (n *Namespaces) ValidateInitialization() error {
	if n.Known == nil || n.Client == nil {
		return errors.New("missing informers or client")
	}
	return nil
}

// Find returns a namespace. One that is not there is an error.
func (n *Namespaces) Find(ctx context.Context, name string) (*object.Object, error) {
	return n.Known.Find(ctx, n.Client, "", name)
}
