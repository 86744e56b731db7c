package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// Delete is part of rest.Deleter. An object goes at once, or it is marked and
// stays while a finalizer or its grace period keeps it.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Delete
func (s *Store) Delete(ctx context.Context, key rest.Key, opts rest.DeleteOptions) (obj *object.Encoded, gone bool, err error) {
	var dry *object.Encoded
	var done func()
	obj, err = s.Storage.GuaranteedUpdate(ctx, s.key(key), func(live *object.Encoded) (*object.Object, time.Duration, error) {
		next, err := s.nextDeleted(ctx, key, opts, live)
		gone = next == nil
		if err == nil && opts.DryRun {
			dry, err = live, errDryRun
			if next != nil {
				dry = object.NewEncoded(next.Encode(), live.Revision())
			}
		}
		if err == nil && next == nil {
			done, err = s.begin(ctx, live)
		}
		if err != nil || next == nil {
			return nil, 0, err
		}
		return next, s.ttl(next), nil
	})
	switch {
	case errors.Is(err, errDryRun):
		return dry, gone, nil
	case err != nil:
		return nil, false, s.asStatus(err, key.Name)
	}
	if gone && done != nil {
		done()
	}
	return obj, gone, nil
}

// nextDeleted is what becomes of the live object: nil where it goes.
func (s *Store) nextDeleted(ctx context.Context, key rest.Key, opts rest.DeleteOptions, live *object.Encoded) (*object.Object, error) {
	if live == nil {
		return nil, status.NotFound(s.statusResource(), key.Name)
	}
	old, err := live.Object()
	if err != nil {
		return nil, err
	}
	if err := s.checkPreconditions(key, opts, old); err != nil {
		return nil, err
	}
	attrs := &admission.Attributes{
		Operation: rest.Delete, Resource: s.kind.Resource, Subresource: s.subresource, Kind: s.kind.Resource.Kind,
		Key: key, Old: old, User: request.UserFrom(ctx), DryRun: opts.DryRun, Options: opts,
	}
	if err := s.Admission.Admit(ctx, attrs); err != nil {
		return nil, err
	}
	if err := s.Admission.Validate(ctx, attrs); err != nil {
		return nil, err
	}
	obj := old.DeepCopy()
	changed := s.addFinalizers(obj, opts)
	grace := s.grace(obj, opts)
	if old.Meta.DeletionTimestamp != "" && (grace < 0 || old.Meta.DeletionGracePeriodSeconds != nil && grace >= *old.Meta.DeletionGracePeriodSeconds && grace > 0) {
		if !changed {
			return obj, storage.ErrUnchanged // it is on its way, and nobody asks for more haste
		}
	} else {
		grace = max(grace, 0)
		obj.Meta.DeletionGracePeriodSeconds = &grace
		if old.Meta.DeletionTimestamp == "" || grace > 0 {
			obj.Meta.DeletionTimestamp = time.Now().Add(time.Duration(grace) * time.Second).UTC().Format(time.RFC3339)
		}
		if old.Meta.DeletionTimestamp == "" && obj.Meta.Generation > 0 {
			obj.Meta.Generation++
		}
	}
	if s.kept(obj) {
		if old.Meta.DeletionTimestamp != "" && !changed && sameGrace(old, obj) {
			return obj, storage.ErrUnchanged
		}
		return obj, nil
	}
	return nil, nil
}

func sameGrace(a, b *object.Object) bool {
	x, y := a.Meta.DeletionGracePeriodSeconds, b.Meta.DeletionGracePeriodSeconds
	return x != nil && y != nil && *x == *y
}

// begin tells the strategy that an object goes. done is called once it has gone.
func (s *Store) begin(ctx context.Context, live *object.Encoded) (done func(), err error) {
	if s.strategy.Begin == nil {
		return nil, nil
	}
	old, err := live.Object()
	if err != nil {
		return nil, err
	}
	done, _, err = s.strategy.Begin(ctx, nil, old)
	return done, err
}

func (s *Store) checkPreconditions(key rest.Key, opts rest.DeleteOptions, old *object.Object) error {
	if opts.UID != "" && opts.UID != old.Meta.UID {
		return status.Conflict(s.statusResource(), key.Name, fmt.Sprintf("Precondition failed: UID in precondition: %s, UID in object meta: %s", opts.UID, old.Meta.UID))
	}
	if rv := old.Meta.ResourceVersion; opts.ResourceVersion != "" && opts.ResourceVersion != rv {
		return status.Conflict(s.statusResource(), key.Name, fmt.Sprintf("Precondition failed: ResourceVersion in precondition: %s, ResourceVersion in object meta: %s", opts.ResourceVersion, rv))
	}
	return nil
}

// kept says whether something keeps an object that is marked as deleted.
func (s *Store) kept(obj *object.Object) bool {
	keep := s.kind.Strategy.Keep != nil && s.kind.Strategy.Keep(obj) // asked first: it may have something to change
	grace := obj.Meta.DeletionGracePeriodSeconds
	return keep || len(obj.Meta.Finalizers) > 0 || grace != nil && *grace > 0
}

// grace is how many seconds the object stays; -1 where it is being deleted and
// the client does not ask for another period.
func (s *Store) grace(obj *object.Object, opts rest.DeleteOptions) int64 {
	if s.strategy.GracePeriod == nil {
		return 0
	}
	if obj.Meta.DeletionTimestamp != "" && opts.GracePeriodSeconds == nil {
		return -1
	}
	return s.strategy.GracePeriod(obj, opts.GracePeriodSeconds)
}

// addFinalizers turns a propagation policy into the finalizer that makes the
// garbage collector act by it.
func (s *Store) addFinalizers(obj *object.Object, opts rest.DeleteOptions) (changed bool) {
	before := slices.Clone(obj.Meta.Finalizers)
	policy := opts.PropagationPolicy
	if policy == "" {
		switch {
		case slices.Contains(before, "orphan"), s.strategy.OrphanByDefault && !slices.Contains(before, "foregroundDeletion"):
			policy = "Orphan"
		case slices.Contains(before, "foregroundDeletion"):
			policy = "Foreground"
		}
	}
	after := slices.DeleteFunc(slices.Clone(before), func(f string) bool { return f == "orphan" || f == "foregroundDeletion" })
	switch policy {
	case "Orphan":
		after = append(after, "orphan")
	case "Foreground":
		after = append(after, "foregroundDeletion")
	}
	slices.Sort(before)
	sorted := slices.Sorted(slices.Values(after))
	if slices.Equal(before, sorted) {
		return false
	}
	obj.Meta.Finalizers = after
	return true
}

// DeleteCollection is part of rest.CollectionDeleter. It is not one
// transaction: what has gone meanwhile is skipped, and an error leaves the rest.
// The objects are returned as they were listed.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go DeleteCollection
func (s *Store) DeleteCollection(ctx context.Context, namespace string, opts rest.DeleteOptions, which rest.ListOptions) (rest.List, error) {
	list, err := s.List(ctx, namespace, which)
	if err != nil {
		return list, err
	}
	for _, item := range list.Items {
		obj, err := item.Object()
		if err != nil {
			return list, err
		}
		_, _, err = s.Delete(ctx, rest.Key{Namespace: obj.Meta.Namespace, Name: obj.Meta.Name}, opts)
		if err != nil && !status.Is(err, "NotFound") {
			return list, err
		}
	}
	return list, nil
}
