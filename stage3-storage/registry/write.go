package registry

import (
	"context"
	"errors"
	"time"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Create is part of rest.Creater. A name that the server makes is made anew
// when it happens to be taken.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Create
func (s *Store) Create(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, error) {
	w.Operation = rest.Create
	const attempts = 8
	for i := 1; ; i++ {
		name, generated, err := nameFor(key, w)
		if err != nil {
			return nil, err
		}
		obj, _, err := s.write(ctx, rest.Key{Namespace: key.Namespace, Name: name}, w)
		if generated && i < attempts && status.Is(err, "AlreadyExists") {
			continue
		}
		return obj, err
	}
}

// Update is part of rest.Updater: PUT and every kind of PATCH.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Update
func (s *Store) Update(ctx context.Context, key rest.Key, w rest.Write) (obj *object.Encoded, created bool, err error) {
	w.Operation = rest.Update
	w.CreateMissing = w.CreateMissing || s.strategy.AllowCreateOnUpdate && s.subresource == ""
	return s.write(ctx, key, w)
}

// write is the one way in which an object gets into the store. The function
// that it hands to GuaranteedUpdate runs again when another write came first.
func (s *Store) write(ctx context.Context, key rest.Key, w rest.Write) (result *object.Encoded, created bool, err error) {
	var last attempt
	result, err = s.Storage.GuaranteedUpdate(ctx, s.key(key), func(live *object.Encoded) (*object.Object, time.Duration, error) {
		last.end(false) // what the attempt before had reserved
		var err error
		last, err = s.next(ctx, key, w, live)
		if err != nil {
			return nil, 0, err
		}
		if w.DryRun {
			return nil, 0, errDryRun
		}
		if last.gone {
			return nil, 0, nil
		}
		return last.obj, s.ttl(last.obj), nil
	})
	dry := errors.Is(err, errDryRun)
	last.end(err == nil)
	switch {
	case dry:
		return last.encoded(0), last.live == nil, nil
	case err != nil:
		return nil, false, s.asStatus(err, key.Name)
	case last.gone:
		return last.encoded(0), false, nil // it has gone: its last revision is the live one's
	}
	return result, last.live == nil, nil
}

var errDryRun = errors.New("dry run")

// attempt is one pass through the write path.
type attempt struct {
	live *object.Encoded
	obj  *object.Object
	gone bool // the write takes away what kept a deleted object
	done func()
	undo func()
}

// end tells those who reserved something whether the commit came about.
func (a *attempt) end(committed bool) {
	f := a.undo
	if committed {
		f = a.done
	}
	if f != nil {
		f()
	}
	a.done, a.undo = nil, nil
}

// encoded is the object as it would be stored; rev 0 keeps the revision of the live one.
func (a *attempt) encoded(rev int64) *object.Encoded {
	if rev == 0 && a.live != nil {
		rev = a.live.Revision()
	}
	if rev == 0 {
		return object.Unstored(a.obj)
	}
	return object.NewEncoded(a.obj.Encode(), rev)
}

// next makes of the live object and the client's wish the object to store:
// decode and normalise, then owners, admission, strategy, validation, in this order.
func (s *Store) next(ctx context.Context, key rest.Key, w rest.Write, live *object.Encoded) (attempt, error) {
	a := attempt{live: live}
	old, err := s.present(key, w, live)
	if err != nil {
		return a, err
	}
	if a.obj, err = s.decode(ctx, w, live); err != nil {
		return a, err
	}
	if err := s.identify(key, w, a.obj, old); err != nil {
		return a, err
	}
	s.keepOld(a.obj, old)
	if s.strategy.Default != nil {
		s.strategy.Default(a.obj)
	}
	if old == nil {
		w.Operation = rest.Create
	}
	attrs := &admission.Attributes{
		Operation: w.Operation, Resource: s.kind.Resource, Subresource: s.subresource, Kind: s.kind.Resource.Kind,
		Key: key, Object: a.obj, Old: old, User: request.UserFrom(ctx), DryRun: w.DryRun,
	}
	if err := s.track(old, a.obj, w); err != nil {
		return a, err
	}
	if err := s.Admission.Admit(ctx, attrs); err != nil {
		return a, err
	}
	if err := s.track(old, a.obj, w); err != nil {
		return a, err
	}
	if err := s.prepare(ctx, a.obj, old); err != nil {
		return a, err
	}
	if err := s.validate(ctx, a.obj, old); err != nil {
		return a, err
	}
	if err := s.Admission.Validate(ctx, attrs); err != nil {
		return a, err
	}
	a.gone = old != nil && old.Meta.DeletionTimestamp != "" && !s.kept(a.obj)
	if s.strategy.Begin != nil && !w.DryRun {
		a.done, a.undo, err = s.strategy.Begin(ctx, a.obj, old)
	}
	return a, err
}

// present checks that the object is there, or is not, as the operation needs it.
func (s *Store) present(key rest.Key, w rest.Write, live *object.Encoded) (*object.Object, error) {
	switch {
	case live == nil && w.Operation == rest.Update && !w.CreateMissing:
		return nil, status.NotFound(s.statusResource(), key.Name)
	case live == nil:
		return nil, nil
	case w.Operation == rest.Create:
		err := status.AlreadyExists(s.statusResource(), key.Name)
		if old, e := live.Object(); e == nil && old.Meta.DeletionTimestamp != "" {
			err.Message = "object is being deleted: " + err.Message
		}
		return nil, err
	}
	return live.Object()
}

// decode makes an object of the tree that the client wants, pruned and canonical.
func (s *Store) decode(ctx context.Context, w rest.Write, live *object.Encoded) (*object.Object, error) {
	tree, err := w.Tree(live)
	if err != nil {
		return nil, err
	}
	apiVersion, kind := s.Kind()
	unknown := []string{}
	for _, d := range w.Duplicates {
		unknown = append(unknown, `duplicate field "`+d+`"`)
	}
	if s.strategy.Schema != nil {
		more, err := s.strategy.Schema.Normalise(tree)
		if err != nil {
			return nil, status.BadRequest("%s in version %q cannot be handled as a %s: %v", kind, s.kind.Resource.Version, kind, err)
		}
		unknown = append(unknown, more...)
	}
	if err := complain(ctx, w.FieldValidation, kind, s.kind.Resource.Version, unknown); err != nil {
		return nil, err
	}
	obj, err := object.FromTree(tree)
	if err != nil {
		return nil, status.BadRequest("%s in version %q cannot be handled as a %s: %v", kind, s.kind.Resource.Version, kind, err)
	}
	obj.APIVersion, obj.Kind = apiVersion, kind
	return obj, nil
}

func (s *Store) track(old, obj *object.Object, w rest.Write) error {
	if s.Owners == nil {
		return nil
	}
	return s.Owners.Track(old, obj, w, s.subresource)
}

func (s *Store) ttl(obj *object.Object) time.Duration {
	if s.strategy.TTL == nil {
		return 0
	}
	return s.strategy.TTL(obj)
}
