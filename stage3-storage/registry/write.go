package registry

import (
	"cmp"
	"context"
	"errors"
	"time"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// Create is part of rest.Creater. A name that the server makes is made anew
// when it happens to be taken.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Create
func (s *Store) Create(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, error) {
	w.Operation = rest.Create
	key.Name = cmp.Or(key.Name, w.Name)
	generate := key.Name == "" && s.makesName(w)
	for attempts := 8; ; attempts-- {
		if generate {
			key.Name = s.Rules.Name(w.GenerateName)
		}
		obj, _, err := s.write(ctx, key, w)
		if generate && attempts > 1 && status.Is(err, "AlreadyExists") {
			continue
		}
		return obj, err
	}
}

// makesName says whether the server makes the name that the client leaves out.
func (s *Store) makesName(w rest.Write) bool { return w.GenerateName != "" || s.strategy.NameIsUID }

// Update is part of rest.Updater: PUT and every kind of PATCH.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Update
func (s *Store) Update(ctx context.Context, key rest.Key, w rest.Write) (obj *object.Encoded, created bool, err error) {
	w.Operation = rest.Update
	w.CreateMissing = w.CreateMissing || s.strategy.AllowCreateOnUpdate && s.subresource == ""
	return s.write(ctx, key, w)
}

// write is the one way in which a client's object gets into the store.
func (s *Store) write(ctx context.Context, key rest.Key, w rest.Write) (result *object.Encoded, created bool, err error) {
	last, result, err := s.commit(ctx, key, w.DryRun, func(live *object.Encoded) (attempt, error) {
		return s.next(ctx, key, w, live)
	})
	if err == nil && last.gone {
		result = last.unstored()
	}
	return result, err == nil && last.live == nil, err
}

// attempt is what one pass through the write path makes of the live object.
type attempt struct {
	live *object.Encoded // nil: there was none
	obj  *object.Object  // to store
	gone bool            // there is nothing to store: the object goes
	end  func(committed bool)
}

// over tells who has reserved something whether the commit came about.
func (a *attempt) over(committed bool) {
	if a.end != nil {
		a.end(committed)
	}
}

// unstored is the object as it would be stored, with the revision of the live one.
func (a *attempt) unstored() *object.Encoded {
	switch {
	case a.obj == nil:
		return a.live
	case a.live == nil:
		return object.Unstored(a.obj)
	}
	return object.NewEncoded(a.obj.Encode(), a.live.Revision())
}

var errDryRun = errors.New("dry run")

// commit replaces the live object by what next makes of it, again when another
// write came first. A dry run does everything but that.
func (s *Store) commit(ctx context.Context, key rest.Key, dryRun bool, next func(live *object.Encoded) (attempt, error)) (last attempt, stored *object.Encoded, err error) {
	stored, err = storage.GuaranteedUpdate(ctx, s.Storage, s.Key(key), func(live *object.Encoded) (_ *object.Object, ttl time.Duration, err error) {
		last.over(false) // what the attempt before has reserved is free again
		last, err = next(live)
		switch {
		case err == nil && dryRun:
			return nil, 0, errDryRun
		case err != nil || last.gone:
			return nil, 0, err
		case s.strategy.TTL != nil:
			ttl = s.strategy.TTL(last.obj)
		}
		return last.obj, ttl, nil
	})
	if errors.Is(err, errDryRun) {
		stored, err = last.unstored(), nil
	}
	last.over(err == nil)
	return last, stored, s.asStatus(err, key.Name)
}

// next makes of the live object and the client's wish the object to store:
// decode and normalise, identify, default, admit, prepare, validate, in this order.
func (s *Store) next(ctx context.Context, key rest.Key, w rest.Write, live *object.Encoded) (attempt, error) {
	a := attempt{live: live}
	var old *object.Object
	var err error
	if a.obj, err = Decode(ctx, w, live, s.strategy.Schema, s.kind.Resource.APIVersion(), s.kind.Resource.Kind); err != nil {
		return a, err
	}
	// At a creation old stays nil although the name may be taken: what is wrong
	// with the object is said before that.
	if live != nil && w.Operation == rest.Update {
		if old, err = live.Object(); err != nil {
			return a, err
		}
	}
	if err := s.Rules.Identify(s, key, w, a.obj, old); err != nil {
		return a, err
	}
	if err := s.seen(a.obj, old); err != nil {
		return a, err
	}
	s.keepOld(a.obj, old)
	if s.strategy.Default != nil {
		s.strategy.Default(a.obj)
	}
	if old == nil {
		w.Operation = rest.Create // to plugins, an update that creates is none
	}
	attrs := s.attributes(ctx, w.Operation, key, w.DryRun)
	attrs.Object, attrs.Old = a.obj, old
	attrs.Generated = old == nil && w.Name == "" && s.makesName(w)
	attrs.Taken = old == nil && live != nil
	if err := s.admit(ctx, attrs, w); err != nil {
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
	if attrs.Taken {
		return a, s.taken(live, key.Name)
	}
	a.gone = old != nil && old.Meta.DeletionTimestamp != "" && !s.Rules.Kept(s, a.obj) // the write takes away what kept it
	err = s.begin(ctx, &a, old, w.DryRun)
	return a, err
}

// admit lets plugins change the object. Who owns which field is asked before,
// for what the client has set, and again for what they have.
func (s *Store) admit(ctx context.Context, attrs *admission.Attributes, w rest.Write) error {
	if s.Owners == nil {
		return s.Admission.Admit(ctx, attrs)
	}
	if err := s.Owners.Track(attrs.Old, attrs.Object, w, s.subresource); err != nil {
		return err
	}
	if err := s.Admission.Admit(ctx, attrs); err != nil {
		return err
	}
	return s.Owners.Track(attrs.Old, attrs.Object, w, s.subresource)
}

func (s *Store) taken(live *object.Encoded, name string) error {
	err := status.AlreadyExists(s.kind.Resource.Named(), name)
	if present, e := live.Meta(); e == nil && present.DeletionTimestamp != "" {
		err.Message = "object is being deleted: " + err.Message
	}
	return err
}

// begin is the last step before the commit: what the kind hands out (addresses,
// ports) is taken, or got ready to be given back.
func (s *Store) begin(ctx context.Context, a *attempt, old *object.Object, dryRun bool) (err error) {
	if s.strategy.Begin != nil && !dryRun {
		a.end, err = s.strategy.Begin(ctx, a.obj, old)
	}
	return err
}

// Decode makes the object that the client wants, of this kind. Who takes an
// object and stores none uses it as well.
func Decode(ctx context.Context, w rest.Write, live *object.Encoded, known Schema, apiVersion, kind string) (*object.Object, error) {
	obj, err := w.Wanted(ctx, live, known)
	if err != nil {
		return nil, err
	}
	obj.APIVersion, obj.Kind = apiVersion, kind
	return obj, nil
}

func (s *Store) attributes(ctx context.Context, op rest.Operation, key rest.Key, dryRun bool) *admission.Attributes {
	return &admission.Attributes{
		Operation: op, Resource: s.kind.Resource, Subresource: s.subresource, Kind: s.kind.Resource.Kind,
		Key: key, User: request.UserFrom(ctx), DryRun: dryRun,
	}
}

// Change lets f change an object and stores what comes of it, without asking
// strategy, validation and admission again: a binding, say, has been through
// all that under its own kind. f may be called several times.
func (s *Store) Change(ctx context.Context, key rest.Key, dryRun bool, f func(*object.Object) error) (*object.Encoded, error) {
	_, result, err := s.commit(ctx, key, dryRun, func(live *object.Encoded) (attempt, error) {
		if live == nil {
			return attempt{}, status.NotFound(s.kind.Resource.Named(), key.Name)
		}
		old, err := live.Object()
		if err != nil {
			return attempt{}, err
		}
		obj := old.DeepCopy()
		return attempt{live: live, obj: obj}, f(obj)
	})
	return result, err
}
