package rest

import (
	"context"
	"iter"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// Storage is what stands behind one path of the API: the value type of the
// article's restStorageMap. All methods of a storage may be called concurrently.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/rest/rest.go Storage
type Storage interface {
	// Kind is what the path accepts and returns: "v1", "Pod".
	Kind() (apiVersion, kind string)
	// Resource is the row that the path belongs to: that of pods for pods/status too.
	Resource() catalog.Resource
}

// Key names one object. Namespace is "" for a cluster-scoped one, and in a
// list over all namespaces.
type Key struct{ Namespace, Name string }

// Getter makes GET of one object work.
type Getter interface {
	Get(ctx context.Context, key Key, opts GetOptions) (*object.Encoded, error)
}

// Lister makes GET of a collection work.
type Lister interface {
	List(ctx context.Context, namespace string, opts ListOptions) (List, error)
}

// Creater makes POST work.
type Creater interface {
	Create(ctx context.Context, key Key, w Write) (*object.Encoded, error)
}

// Updater makes PUT work, and with Getter also PATCH. created tells that the
// object did not exist before.
type Updater interface {
	Update(ctx context.Context, key Key, w Write) (obj *object.Encoded, created bool, err error)
}

// Deleter makes DELETE of one object work. The object is returned as it was
// when it went; gone is false where it only was marked, because a finalizer or
// a grace period keeps it.
type Deleter interface {
	Delete(ctx context.Context, key Key, opts DeleteOptions) (obj *object.Encoded, gone bool, err error)
}

// Watcher makes ?watch=true work.
type Watcher interface {
	Watch(ctx context.Context, namespace string, opts WatchOptions) (iter.Seq2[storage.Event, error], error)
}

// Write is what a client wants to store.
type Write struct {
	// Wanted makes the wanted object from the present one, which is nil where
	// there is none, in the form that its schema prescribes. It is called again
	// when another write came in between.
	Wanted func(ctx context.Context, live *object.Encoded, known Schema) (*object.Object, error)

	Operation          Operation
	CreateMissing      bool   // an update may create the object
	DryRun             bool   // do everything but the commit
	FieldManager       string // who writes, to the owners of fields
	Name, GenerateName string // how the client calls the object
	UID                string // of the object that an update means; "" is any
}

// Schema knows the structure of a kind's objects.
type Schema interface {
	// Normalise prunes tree, checks types and makes values canonical, in
	// place. unknown are the paths of the fields that it dropped, each as a
	// client should read it: `unknown field "spec.foo"`.
	Normalise(tree map[string]any) (unknown []string, err error)
}

// Operation is what admission and the owners of fields are told about a write.
type Operation string

const (
	Create  Operation = "CREATE"
	Update  Operation = "UPDATE"
	Delete  Operation = "DELETE"
	Connect Operation = "CONNECT"
)

// GetOptions: Revision is the least one wanted; 0 is any.
type GetOptions struct{ Revision int64 }

// Selector decides which objects of a collection are meant.
type Selector struct {
	Matches func(*object.Encoded) bool // nil matches all
	Name    string                     // set where only one name can match
}

// ListOptions are the parameters of a list.
type ListOptions struct {
	Selector Selector
	Revision int64     // the least revision wanted
	Exact    bool      // as of this revision, and no later one
	Limit    int       // 0 is no limit
	Continue *Position // nil for the first page
}

// Position is where a page of a list begins.
type Position struct {
	Revision int64  // that of the first page; negative for the newest
	Start    string // the key, without the prefix of the collection
}

// List is an answer to a list.
type List struct {
	Items     []*object.Encoded
	Revision  int64
	Continue  *Position // where the rest begins; nil where there is none
	Remaining int       // 0 where it is not known
}

// WatchOptions are the parameters of a watch.
type WatchOptions struct {
	Selector          Selector
	Revision          int64 // after which changes are wanted; 0: the present objects first
	AllowBookmarks    bool
	SendInitialEvents bool
}

// DeleteOptions are the parameters of a deletion.
type DeleteOptions struct {
	GracePeriodSeconds *int64
	PropagationPolicy  string // "", Background, Foreground, Orphan
	UID                string // precondition; "" is none
	ResourceVersion    string // precondition; "" is none
	DryRun             bool
}
