package registry

import (
	"context"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Delete is part of rest.Deleter. An object goes at once, or it is marked and
// stays as long as something keeps it. One that is marked and kept by nothing
// goes in a second step, so that watchers see the mark.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Delete
func (s *Store) Delete(ctx context.Context, key rest.Key, opts rest.DeleteOptions) (obj *object.Encoded, gone bool, err error) {
	obj, gone, err = s.delete(ctx, key, opts)
	if err != nil || gone {
		return obj, gone, err
	}
	marked, err := obj.Object()
	if err != nil || s.Rules.Kept(s, marked.DeepCopy()) {
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
	last, obj, err := s.commit(ctx, key, opts.DryRun, func(live *object.Encoded) (attempt, error) {
		return s.nextDeleted(ctx, key, opts, live)
	})
	if err != nil {
		return nil, false, err
	}
	return obj, last.gone, nil
}

// nextDeleted is what becomes of the live object: it changes, or it goes.
func (s *Store) nextDeleted(ctx context.Context, key rest.Key, opts rest.DeleteOptions, live *object.Encoded) (attempt, error) {
	a := attempt{live: live}
	if live == nil {
		return a, status.NotFound(s.statusResource(), key.Name)
	}
	old, err := live.Object()
	if err != nil {
		return a, err
	}
	if err := s.Rules.Precondition(s, opts, old.Meta); err != nil {
		return a, err
	}
	attrs := s.attributes(ctx, rest.Delete, key, opts.DryRun)
	attrs.Old, attrs.Options = old, opts
	if err := s.Admission.Admit(ctx, attrs); err != nil {
		return a, err
	}
	if err := s.Admission.Validate(ctx, attrs); err != nil {
		return a, err
	}
	a.obj, err = s.Rules.Delete(s, old.DeepCopy(), opts)
	a.gone = a.obj == nil
	if err == nil && a.gone {
		err = s.begin(ctx, &a, old, opts.DryRun)
	}
	return a, err
}
