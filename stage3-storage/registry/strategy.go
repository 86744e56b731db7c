package registry

import (
	"context"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Kind is one row of the table from which the storage map is made.
type Kind struct {
	Resource catalog.Resource
	Strategy Strategy
	Status   *Strategy           // of the path /status; nil where there is none
	Sub      map[string]Strategy // of further paths to the same objects, such as finalize
}

// Schema is rest.Schema.
type Schema = rest.Schema

// Strategy says what is special about a kind. Every field may be left out.
// The functions are called while a write is under way, perhaps several times;
// they may change obj and nothing else, and must not keep it. old is read only.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/rest/create.go RESTCreateStrategy
type Strategy struct {
	Schema Schema // nil keeps everything as it came

	// Default fills in what the client left out; it sees every write.
	Default func(obj *object.Object)

	// PrepareForCreate and PrepareForUpdate set what only the server decides,
	// and put back what this path must not change (see KeepOld).
	PrepareForCreate func(ctx context.Context, obj *object.Object) error
	PrepareForUpdate func(ctx context.Context, obj, old *object.Object) error

	// Validate is asked at creation and, where ValidateUpdate is nil, at update.
	ValidateName   func(name string) []string // problems; nil checks for a DNS subdomain
	Validate       func(obj *object.Object) status.Causes
	ValidateUpdate func(obj, old *object.Object) status.Causes
	Warnings       func(obj, old *object.Object) []string // old is nil at creation

	// KeepOld are top-level fields that a write on this path cannot change:
	// "status" for the main path, all others for /status. At creation they are dropped.
	KeepOld []string
	// OnlyNew, where set, are the only top-level fields that a write on this path can change.
	OnlyNew []string

	// HasGeneration: metadata.generation starts at 1 and rises when anything but metadata and status changes.
	HasGeneration bool

	AllowCreateOnUpdate bool // PUT may create
	NameIsUID           bool // who is created without a name gets a UID for one, instead of being refused
	NeedsVersion        bool // an update must say on which resourceVersion it is based
	OneByOne            bool // the collection cannot be deleted as a whole
	ReturnDeleted       bool // DELETE answers with the object instead of a Status
	OrphanByDefault     bool // a deletion without a policy orphans the dependents

	// GracePeriod returns how many seconds a deleted object stays; asked is
	// what the client wants, nil for the default of the kind. A nil function: none stays.
	GracePeriod func(obj *object.Object, asked *int64) int64

	// Keep is asked about an object that is marked as deleted; it may change
	// the object. true keeps it.
	Keep func(obj *object.Object) bool

	// TTL is how long the object lives; 0 is for ever.
	TTL func(obj *object.Object) time.Duration

	// Field is the value of a field that selectors may ask for besides
	// metadata.name and metadata.namespace; ok is false for any other field.
	Field func(obj *object.Object, path string) (value string, ok bool)

	// Begin is called right before the commit of a creation, an update (old
	// set) or a deletion (obj nil), outside of dry runs only. end is called
	// once it is known whether the commit came about.
	Begin func(ctx context.Context, obj, old *object.Object) (end func(committed bool), err error)
}
