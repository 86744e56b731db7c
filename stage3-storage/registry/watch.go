package registry

import (
	"context"
	"iter"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// Watch is part of rest.Watcher: the changes after a revision, or first the
// present objects where the client names none. The verb that leads here comes
// with stage 4.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go WatchPredicate
func (s *Store) Watch(ctx context.Context, namespace string, opts rest.WatchOptions) (iter.Seq2[storage.Event, error], error) {
	rev := opts.Revision
	var present []*object.Encoded
	if rev == 0 || opts.SendInitialEvents {
		list, err := s.List(ctx, namespace, rest.ListOptions{Selector: opts.Selector})
		if err != nil {
			return nil, err
		}
		present, rev = list.Items, list.Revision
	}
	return func(yield func(storage.Event, error) bool) {
		for _, obj := range present {
			if !yield(storage.Event{Type: storage.Added, Object: obj, Revision: obj.Revision()}, nil) {
				return
			}
		}
		if opts.SendInitialEvents && !yield(storage.Event{Type: storage.Bookmark, Revision: rev}, nil) {
			return
		}
		for ev, err := range s.Storage.Watch(ctx, s.collection(namespace), rev) {
			if err == nil {
				var seen bool
				if ev, seen = through(opts.Selector, ev); !seen {
					continue
				}
			}
			if !yield(ev, err) || err != nil {
				return
			}
		}
	}, nil
}

// through is what a watcher with a selector sees of a change: an object whose
// change takes it into the selection is added, one that leaves it is deleted.
func through(sel rest.Selector, ev storage.Event) (storage.Event, bool) {
	if sel.Matches == nil || ev.Type == storage.Bookmark {
		return ev, true
	}
	now := ev.Type != storage.Deleted && sel.Matches(ev.Object)
	before := ev.Prev != nil && sel.Matches(ev.Prev)
	switch {
	case now && before:
		ev.Type = storage.Modified
	case now:
		ev.Type = storage.Added
	case before && ev.Type == storage.Deleted:
	case before: // shown as it last was, with the revision of the change
		ev.Type, ev.Object = storage.Deleted, ev.Prev.At(ev.Revision)
	default:
		return ev, false
	}
	return ev, true
}
