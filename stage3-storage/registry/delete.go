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
	step := func(live *object.Encoded) (attempt, error) { return s.nextDeleted(ctx, key, opts, live) }
	first, obj, err := s.commit(ctx, key, opts.DryRun, step)
	if err != nil || first.gone {
		return obj, first.gone, err
	}
	if s.Rules.Kept(s, first.obj) {
		return obj, false, nil
	}
	if opts.DryRun {
		return obj, true, nil
	}
	opts.UID, opts.ResourceVersion = first.obj.Meta.UID, ""
	second, last, err := s.commit(ctx, key, false, step)
	if status.Is(err, "NotFound") {
		return obj, true, nil // somebody else was quicker
	}
	return last, second.gone, err
}

// nextDeleted is what becomes of the live object: it changes, or it goes.
func (s *Store) nextDeleted(ctx context.Context, key rest.Key, opts rest.DeleteOptions, live *object.Encoded) (attempt, error) {
	a := attempt{live: live}
	if live == nil {
		return a, status.NotFound(s.kind.Resource.Named(), key.Name)
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
