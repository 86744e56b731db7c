package registry

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
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
	key.Name = cmp.Or(key.Name, w.Name)
	generate := key.Name == "" && w.GenerateName != ""
	if key.Name == "" && !generate && s.strategy.NameIsUID {
		key.Name = newUID()
	}
	for attempts := 8; ; attempts-- {
		if generate {
			key.Name = generateName(w.GenerateName)
		}
		obj, _, err := s.write(ctx, key, w)
		if generate && attempts > 1 && status.Is(err, "AlreadyExists") {
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

// write is the one way in which an object gets into the store. What next makes
// of it is made again when another write came first.
func (s *Store) write(ctx context.Context, key rest.Key, w rest.Write) (result *object.Encoded, created bool, err error) {
	var last attempt
	result, err = s.commit(ctx, key, w.DryRun, func(live *object.Encoded) (_ *object.Object, err error) {
		last.end(false) // what the attempt before had reserved
		if last, err = s.next(ctx, key, w, live); last.gone {
			return nil, err
		}
		return last.obj, err
	})
	last.end(err == nil)
	if err == nil && last.gone {
		result = unstored(last.obj, last.live)
	}
	return result, err == nil && last.live == nil, err
}

// commit replaces the live object by what next makes of it: nil takes it away. A
// dry run does everything but that.
func (s *Store) commit(ctx context.Context, key rest.Key, dryRun bool, next func(live *object.Encoded) (*object.Object, error)) (*object.Encoded, error) {
	var dry *object.Encoded
	stored, err := s.Storage.GuaranteedUpdate(ctx, s.key(key), func(live *object.Encoded) (*object.Object, time.Duration, error) {
		obj, err := next(live)
		if err == nil && dryRun {
			dry, err = unstored(obj, live), errDryRun
		}
		if err != nil || obj == nil || s.strategy.TTL == nil {
			return obj, 0, err
		}
		return obj, s.strategy.TTL(obj), nil
	})
	if errors.Is(err, errDryRun) {
		return dry, nil
	}
	return stored, s.asStatus(err, key.Name)
}

var errDryRun = errors.New("dry run")

// unstored is an object as it would be stored, with the revision of the live one.
func unstored(obj *object.Object, live *object.Encoded) *object.Encoded {
	switch {
	case obj == nil:
		return live
	case live == nil:
		return object.Unstored(obj)
	}
	return object.NewEncoded(obj.Encode(), live.Revision())
}

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

// next makes of the live object and the client's wish the object to store:
// decode and normalise, then owners, admission, strategy, validation, in this order.
func (s *Store) next(ctx context.Context, key rest.Key, w rest.Write, live *object.Encoded) (attempt, error) {
	a := attempt{live: live}
	var old *object.Object
	var err error
	if a.obj, err = Decode(ctx, w, live, s.strategy.Schema, s.kind.Resource.APIVersion(), s.kind.Resource.Kind); err != nil {
		return a, err
	}
	if live != nil && w.Operation == rest.Update {
		if old, err = live.Object(); err != nil {
			return a, err
		}
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
		Generated: old == nil && w.Name == "" && (w.GenerateName != "" || s.strategy.NameIsUID), Taken: old == nil && live != nil,
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
	return s.reserve(ctx, w, a, old)
}

// reserve is the last step before the commit: the name has to be free, and
// what the kind hands out (addresses, ports) is taken.
func (s *Store) reserve(ctx context.Context, w rest.Write, a attempt, old *object.Object) (_ attempt, err error) {
	if old == nil && a.live != nil {
		err := status.AlreadyExists(s.statusResource(), a.obj.Meta.Name)
		if present, e := a.live.Object(); e == nil && present.Meta.DeletionTimestamp != "" {
			err.Message = "object is being deleted: " + err.Message
		}
		return a, err
	}
	a.gone = old != nil && old.Meta.DeletionTimestamp != "" && !s.kept(a.obj)
	if s.strategy.Begin != nil && !w.DryRun {
		a.done, a.undo, err = s.strategy.Begin(ctx, a.obj, old)
	}
	return a, err
}

// Decode makes an object of the tree that the client wants, pruned and canonical.
// known may be nil. Who takes an object and stores none uses it as well.
func Decode(ctx context.Context, w rest.Write, live *object.Encoded, known Schema, apiVersion, kind string) (*object.Object, error) {
	tree, err := w.Tree(live)
	if err != nil {
		return nil, err
	}
	unfit := func(why error) error {
		if w.Unfit == nil {
			return why
		}
		return w.Unfit(live, why)
	}
	complaints := slices.Clone(w.Complaints)
	if known != nil {
		unknown, err := known.Normalise(tree)
		if err != nil {
			return nil, unfit(err)
		}
		complaints = append(complaints, unknown...)
	}
	if w.InOrder != nil {
		w.InOrder(complaints)
	}
	switch {
	case w.FieldValidation == "Ignore":
	case w.FieldValidation == "Strict" && len(complaints) > 0:
		return nil, unfit(errors.New("strict decoding error: " + strings.Join(complaints, ", ")))
	default:
		request.Warn(ctx, complaints...)
	}
	obj, err := object.FromTree(tree)
	if err != nil {
		return nil, unfit(err)
	}
	obj.APIVersion, obj.Kind = apiVersion, kind
	return obj, nil
}

// Change lets f change an object and stores what comes of it, without asking
// strategy, validation and admission again: a binding, say, has been through
// all that under its own kind. f may be called several times.
func (s *Store) Change(ctx context.Context, key rest.Key, dryRun bool, f func(*object.Object) error) (*object.Encoded, error) {
	return s.commit(ctx, key, dryRun, func(live *object.Encoded) (*object.Object, error) {
		if live == nil {
			return nil, status.NotFound(s.statusResource(), key.Name)
		}
		old, err := live.Object()
		if err != nil {
			return nil, err
		}
		obj := old.DeepCopy()
		return obj, f(obj)
	})
}

func (s *Store) track(old, obj *object.Object, w rest.Write) error {
	if s.Owners == nil {
		return nil
	}
	return s.Owners.Track(old, obj, w, s.subresource)
}
