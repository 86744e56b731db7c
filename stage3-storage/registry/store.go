package registry

import (
	"errors"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// RESTOptions are what a Store needs besides its Kind.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/options.go RESTOptions
type RESTOptions struct {
	Storage   storage.Interface
	Prefix    string // of all keys of the resource, without a slash at the end
	Admission admission.Chain
	Rules     Rules
	Owners    Owners // nil: nobody keeps track of who set which field
}

// RESTOptionsGetter tells every Store where its objects live.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/options.go RESTOptionsGetter
type RESTOptionsGetter interface {
	GetRESTOptions(r catalog.Resource) (RESTOptions, error)
}

// StorageFactory gives every resource its part of one store: its own options
// are those of the whole, with a Prefix such as "/registry".
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/etcd.go storageFactoryRestOptionsFactory
type StorageFactory struct {
	RESTOptions
	Decorator storage.Decorator // what to put before the store, such as a cache; may be nil
}

// GetRESTOptions is part of RESTOptionsGetter.
func (f *StorageFactory) GetRESTOptions(r catalog.Resource) (RESTOptions, error) {
	o := f.RESTOptions
	if o.Storage == nil {
		return o, errors.New("no store has been opened")
	}
	o.Prefix += "/" + r.StoredUnder
	if f.Decorator != nil {
		o.Storage = f.Decorator(o.Storage, o.Prefix)
	}
	return o, nil
}

// Owners is the seam for metadata.managedFields.
type Owners interface {
	// Track updates obj's managed fields by what w changed. live is nil at creation.
	Track(live, obj *object.Object, w rest.Write, subresource string) error
}

// Store serves one kind from storage. It has every ability of package rest.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Store
type Store struct {
	kind        Kind
	strategy    Strategy
	subresource string
	RESTOptions
}

// NewStore makes the Store of a kind.
func NewStore(k Kind, getter RESTOptionsGetter) (*Store, error) {
	options, err := getter.GetRESTOptions(k.Resource)
	if err != nil {
		return nil, fmt.Errorf("storage of %s: %w", k.Resource.GroupResource(), err)
	}
	return &Store{kind: k, strategy: k.Strategy, RESTOptions: options}, nil
}

// Kind is part of rest.Storage.
func (s *Store) Kind() (apiVersion, kind string) {
	return s.kind.Resource.APIVersion(), s.kind.Resource.Kind
}

// Resource is part of rest.Storage.
func (s *Store) Resource() catalog.Resource { return s.kind.Resource }

// Schema is what is known of the kind's structure, or nil.
func (s *Store) Schema() Schema { return s.strategy.Schema }

// Row is the kind; Strategy is what holds on this path to its objects.
func (s *Store) Row() Kind          { return s.kind }
func (s *Store) Strategy() Strategy { return s.strategy }

// StatusREST is the path /status: the same objects, with a strategy that lets
// only the status change. It can be read and updated, and nothing else.
//
// Upstream: pkg/registry/core/pod/storage/storage.go StatusREST
type StatusREST struct{ part }

// part are the abilities of a path to a part of an object.
type part interface {
	rest.Storage
	rest.Getter
	rest.Updater
	Schema() Schema
}

// Status returns the storage of the path /status.
func (s *Store) Status() *StatusREST { return s.Sub("status") }

// Sub returns the same objects under another path, with the strategy that the
// kind has for it.
func (s *Store) Sub(name string) *StatusREST {
	c := *s
	c.subresource, c.strategy = name, s.kind.Sub[name]
	if name == "status" && s.kind.Status != nil {
		c.strategy = *s.kind.Status
	}
	if c.strategy.Schema == nil {
		c.strategy.Schema = s.strategy.Schema
	}
	return &StatusREST{&c}
}

// FinalizeREST is the path /finalize: it can be written and not read.
//
// Upstream: pkg/registry/core/namespace/storage/storage.go FinalizeREST
type FinalizeREST struct{ updatable }

type updatable interface {
	rest.Storage
	rest.Updater
}

// Finalize returns the storage of the path /finalize.
func (s *Store) Finalize() FinalizeREST { return FinalizeREST{s.Sub("finalize")} }

// collection is the prefix of the keys of a namespace, or of all. It ends in a
// slash, so that the namespace dev does not see what is in dev-2.
func (s *Store) collection(namespace string) string {
	if namespace == "" {
		return s.Prefix + "/"
	}
	return s.Prefix + "/" + namespace + "/"
}

// Key is where an object is stored.
func (s *Store) Key(k rest.Key) string { return s.collection(k.Namespace) + k.Name }

// asStatus says in a client's words what storage says in its own.
func (s *Store) asStatus(err error, name string) error {
	switch {
	case errors.Is(err, kv.ErrNotFound):
		return status.NotFound(s.kind.Resource.Named(), name)
	case errors.Is(err, kv.ErrExists):
		return status.AlreadyExists(s.kind.Resource.Named(), name)
	case errors.Is(err, kv.ErrCompacted):
		return status.Expired("The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.")
	}
	return err
}
