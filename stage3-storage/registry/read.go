package registry

import (
	"context"
	"errors"
	"fmt"
	"strconv"
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
	if err := s.reached(ctx, opts.ResourceVersion); err != nil {
		return nil, err
	}
	obj, err := s.Storage.Get(ctx, s.Key(key))
	return obj, s.asStatus(err, key.Name)
}

// reached refuses a revision that is malformed or lies in the future.
func (s *Store) reached(ctx context.Context, resourceVersion string) error {
	rev, err := parseRevision(resourceVersion)
	if err != nil || rev == 0 {
		return err
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

// parseRevision reads a resourceVersion; "" and "0" are 0.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/api_object_versioner.go ParseResourceVersion
func parseRevision(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	rev, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("resourceVersion: Invalid value: %q: %w", s, err)
	}
	return int64(rev), nil
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

// which turns a client's parameters into storage's: which revision is read,
// and where to begin.
func (s *Store) which(ctx context.Context, namespace string, opts rest.ListOptions) (storage.ListOptions, error) {
	rev, err := parseRevision(opts.ResourceVersion)
	if err != nil {
		return storage.ListOptions{}, status.BadRequest("invalid resource version: %v", err)
	}
	which := storage.ListOptions{Limit: opts.Limit, Match: opts.Selector.Matches}
	if opts.Selector.Name != "" && (namespace != "" || !s.kind.Resource.Namespaced) {
		which.Limit = 0 // there is one object at most
	}
	if opts.ResourceVersion == "0" && opts.Continue == nil {
		which.Limit = 0 // upstream's cache knows no pages of whatever version it has
	}
	if t := opts.Continue; t != nil {
		if rev > 0 {
			return which, status.BadRequest("specifying resource version is not allowed when using continue")
		}
		which.Revision = max(t.Revision, 0)
		which.After = s.collection(namespace) + strings.TrimSuffix(t.Start, "\x00")
		if !strings.HasSuffix(t.Start, "\x00") {
			which.After = before(which.After)
		}
		return which, nil
	}
	exact := opts.ResourceVersionMatch == "Exact" || opts.ResourceVersionMatch == "" && opts.Limit > 0
	if exact {
		which.Revision = rev
		return which, nil
	}
	return which, s.reached(ctx, opts.ResourceVersion)
}

// before is a key right before k: what comes after it begins with k itself.
func before(k string) string { return k[:len(k)-1] + string(k[len(k)-1]-1) + "\xff" }
