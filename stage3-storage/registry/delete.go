package registry

import (
	"context"
	"fmt"
	"log"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// Delete is part of rest.Deleter. An object goes at once, or it is marked and
// stays while a finalizer or its grace period keeps it. One whose grace period
// is over is marked before it goes, so that watchers see why.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Delete
func (s *Store) Delete(ctx context.Context, key rest.Key, opts rest.DeleteOptions) (obj *object.Encoded, gone bool, err error) {
	obj, gone, err = s.delete(ctx, key, opts)
	if err != nil || gone {
		return obj, gone, err
	}
	marked, err := obj.Object()
	if err != nil || s.kept(marked.DeepCopy()) {
		return obj, false, err
	}
	if opts.DryRun {
		return obj, true, nil
	}
	opts.UID, opts.ResourceVersion = marked.Meta.UID, ""
	last, gone, err := s.delete(ctx, key, opts)
	if status.Is(err, "NotFound") {
		return obj, true, nil // somebody else was quicker
	}
	return last, gone, err
}

// delete is one step of a deletion.
func (s *Store) delete(ctx context.Context, key rest.Key, opts rest.DeleteOptions) (obj *object.Encoded, gone bool, err error) {
	var done func()
	obj, err = s.commit(ctx, key, opts.DryRun, func(live *object.Encoded) (*object.Object, error) {
		next, err := s.nextDeleted(ctx, key, opts, live)
		if gone = next == nil; gone && err == nil && !opts.DryRun {
			done, err = s.begin(ctx, live)
		}
		return next, err
	})
	if err != nil {
		return nil, false, err
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
	if err := s.checkPreconditions(opts, old.Meta); err != nil {
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
	graceful, pending := s.startGrace(obj, opts)
	if pending {
		return old, storage.ErrUnchanged // it is on its way, and nobody asks for more haste
	}
	s.addFinalizers(obj, opts)
	switch {
	case graceful:
		return obj, nil
	case s.kept(obj):
		s.mark(obj)
		return obj, nil
	}
	return nil, nil
}

// startGrace gives an object the time that it has left. graceful: the object
// has changed; pending: it has that time already and a client may only shorten it.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go BeforeDelete
func (s *Store) startGrace(obj *object.Object, opts rest.DeleteOptions) (graceful, pending bool) {
	if s.strategy.GracePeriod == nil {
		return false, false
	}
	m := &obj.Meta
	period := s.strategy.GracePeriod(obj, opts.GracePeriodSeconds)
	if m.DeletionTimestamp == "" {
		m.DeletionTimestamp, m.DeletionGracePeriodSeconds = object.After(time.Now(), period), &period
		if m.Generation > 0 {
			m.Generation++
		}
		return true, false
	}
	left := m.DeletionGracePeriodSeconds
	switch {
	case left == nil || *left == 0:
		return false, false
	case opts.GracePeriodSeconds == nil || *opts.GracePeriodSeconds >= *left:
		return false, true
	}
	period = *opts.GracePeriodSeconds
	if end, err := time.Parse(time.RFC3339, m.DeletionTimestamp); err == nil {
		m.DeletionTimestamp = object.After(end, period-*left)
	}
	m.DeletionGracePeriodSeconds = &period
	return true, false
}

// mark says of an object that it is being deleted, and only waits for
// something that keeps it.
func (s *Store) mark(obj *object.Object) {
	m := &obj.Meta
	if m.DeletionTimestamp == "" && m.Generation > 0 {
		m.Generation++
	}
	if now := object.Now(); m.DeletionTimestamp == "" || m.DeletionTimestamp > now {
		m.DeletionTimestamp = now
	}
	if s.kind.Strategy.Keep == nil {
		m.DeletionGracePeriodSeconds = new(int64(0))
	}
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

func (s *Store) checkPreconditions(opts rest.DeleteOptions, m object.Meta) error {
	why := ""
	switch {
	case opts.UID != "" && opts.UID != m.UID:
		why = fmt.Sprintf("the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated", opts.UID, m.UID)
	case opts.ResourceVersion != "" && opts.ResourceVersion != m.ResourceVersion:
		why = fmt.Sprintf("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified", opts.ResourceVersion, m.ResourceVersion)
	default:
		return nil
	}
	return status.Conflict(status.Resource{Group: s.kind.Resource.Group, Name: s.kind.Resource.Kind}, m.Name, why)
}

// kept says whether something keeps an object that is marked as deleted.
func (s *Store) kept(obj *object.Object) bool {
	keep := s.kind.Strategy.Keep != nil && s.kind.Strategy.Keep(obj) // asked first: it may have something to change
	grace := obj.Meta.DeletionGracePeriodSeconds
	return keep || len(obj.Meta.Finalizers) > 0 || grace != nil && *grace > 0
}

// addFinalizers turns a propagation policy into the finalizer that makes the
// garbage collector act by it.
func (s *Store) addFinalizers(obj *object.Object, opts rest.DeleteOptions) {
	before := obj.Meta.Finalizers
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
	slices.Sort(after)
	if !slices.Equal(slices.Sorted(slices.Values(before)), after) {
		obj.Meta.Finalizers = after
	}
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
	// Deletions that are under way together share a commit. Few are done one
	// after the other: so they come in the order of their names, as upstream's.
	var workers sync.WaitGroup
	var next atomic.Int64
	var failed atomic.Pointer[error]
	for range min(max(s.DeleteCollectionWorkers, 1), 1+len(list.Items)/8) {
		workers.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(list.Items) && failed.Load() == nil; i = next.Add(1) - 1 {
				if err := s.deleteItem(ctx, list.Items[i], opts); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	workers.Wait()
	if err := failed.Load(); err != nil {
		return list, *err
	}
	return list, nil
}

// deleteItem deletes one of them. A panic, of a plugin say, fails this request:
// in a goroutine that is not the request's own it would end the server.
func (s *Store) deleteItem(ctx context.Context, item *object.Encoded, opts rest.DeleteOptions) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Printf("panic while a collection was deleted: %v\n%s", p, debug.Stack())
			err = status.Internal(fmt.Errorf("DeleteCollection goroutine panicked: %v", p))
		}
	}()
	obj, err := item.Object()
	if err != nil {
		return err
	}
	_, _, err = s.Delete(ctx, rest.Key{Namespace: obj.Meta.Namespace, Name: obj.Meta.Name}, opts)
	if status.Is(err, "NotFound") {
		return nil
	}
	return err
}
