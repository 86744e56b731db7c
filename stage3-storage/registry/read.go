package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// Get is part of rest.Getter.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Get
func (s *Store) Get(ctx context.Context, key rest.Key, opts rest.GetOptions) (*object.Encoded, error) {
	if err := s.reached(ctx, opts.Revision); err != nil {
		return nil, err
	}
	obj, err := s.Storage.Get(ctx, s.Key(key))
	return obj, s.asStatus(err, key.Name)
}

// reached refuses a revision that lies in the future.
func (s *Store) reached(ctx context.Context, rev int64) error {
	if rev == 0 {
		return nil
	}
	newest, err := s.Storage.Revision(ctx)
	if err == nil && rev > newest {
		return tooLarge(rev, newest)
	}
	return err
}

func tooLarge(rev, newest int64) error {
	return status.New(504, "Timeout", fmt.Sprintf("Timeout: Too large resource version: %d, current: %d", rev, newest), &status.Details{
		RetryAfterSeconds: 1, Causes: []status.Cause{{Reason: "ResourceVersionTooLarge", Message: "Too large resource version"}}})
}

// List is part of rest.Lister.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go ListPredicate
func (s *Store) List(ctx context.Context, namespace string, opts rest.ListOptions) (rest.List, error) {
	which, err := s.which(ctx, namespace, opts)
	if err != nil {
		return rest.List{}, err
	}
	got, err := s.Storage.List(ctx, s.collection(namespace), which)
	switch {
	case errors.Is(err, kv.ErrFuture):
		newest, _ := s.Storage.Revision(ctx)
		return rest.List{}, tooLarge(which.Revision, newest)
	case errors.Is(err, kv.ErrCompacted) && opts.Continue == nil:
		return rest.List{}, status.Expired("The resourceVersion for the provided list is too old.")
	case err != nil:
		return rest.List{}, s.asStatus(err, "")
	}
	list := rest.List{Items: got.Items, Revision: got.Revision}
	if got.Remaining > 0 {
		last := got.Keys[len(got.Keys)-1]
		list.Continue = &rest.Position{Revision: got.Revision, Start: strings.TrimPrefix(last, s.collection(namespace)) + "\x00"}
		if opts.Selector.Matches == nil {
			list.Remaining = got.Remaining
		}
	}
	return list, nil
}

// which says which revision is read, and where to begin.
func (s *Store) which(ctx context.Context, namespace string, opts rest.ListOptions) (storage.ListOptions, error) {
	which := storage.ListOptions{Limit: opts.Limit, Match: opts.Selector.Matches}
	switch from := opts.Continue; {
	case from != nil:
		which.Revision, which.Start = max(from.Revision, 0), s.collection(namespace)+from.Start
	case opts.Exact:
		which.Revision = opts.Revision
	default:
		return which, s.reached(ctx, opts.Revision)
	}
	return which, nil
}
