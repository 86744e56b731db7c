package storage

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/object"
)

// New returns the Interface that keeps objects directly in a key-value store.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go New
func New(store kv.Store) Interface { return &direct{store} }

type direct struct{ kv kv.Store }

func (d *direct) Revision(ctx context.Context) (int64, error) { return d.kv.Revision(ctx) }

func (d *direct) Get(ctx context.Context, key string) (*object.Encoded, error) {
	got, err := d.kv.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	return object.NewEncoded(got.Value, got.Revision), nil
}

// pageSize is how many keys are read at once when only some of them match.
const pageSize = 500

func (d *direct) List(ctx context.Context, prefix string, opts ListOptions) (List, error) {
	r := kv.Prefix(prefix)
	r.Start, r.Revision, r.Limit = max(r.Start, opts.Start), opts.Revision, opts.Limit
	if opts.Limit > 0 && opts.Match != nil {
		r.Limit = max(opts.Limit, pageSize)
	}
	list := List{Items: []*object.Encoded{}}
	for {
		got, err := d.kv.Range(ctx, r)
		if err != nil {
			return List{}, err
		}
		list.Revision = got.Revision
		for i, item := range got.KVs {
			e := object.NewEncoded(item.Value, item.Revision)
			if opts.Match != nil && !opts.Match(e) {
				continue
			}
			list.Items, list.Keys = append(list.Items, e), append(list.Keys, item.Key)
			if len(list.Items) == opts.Limit {
				list.Remaining = got.More + len(got.KVs) - i - 1
				return list, nil
			}
		}
		if got.More == 0 {
			return list, nil
		}
		// All pages are read at the revision of the first: one list is one moment.
		r.Start, r.Revision = got.KVs[len(got.KVs)-1].Key+"\x00", got.Revision
	}
}

// GuaranteedUpdate is how every object is written: it reads the key, asks
// update what to store, and stores that under the condition that nobody else
// wrote meanwhile; if somebody did, it begins again. It returns the object as
// stored. A store that reads from a cache may be behind: then the write fails,
// and the next attempt reads again.
func GuaranteedUpdate(ctx context.Context, s Interface, key string, update Update) (*object.Encoded, error) {
	for {
		next, err := tryUpdate(ctx, s, key, update)
		if !errors.Is(err, kv.ErrConflict) {
			return next, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

func tryUpdate(ctx context.Context, s Interface, key string, update Update) (*object.Encoded, error) {
	live, err := s.Get(ctx, key)
	if err != nil && !errors.Is(err, kv.ErrNotFound) {
		return nil, err
	}
	next, ttl, err := update(live)
	if err != nil {
		return nil, err
	}
	switch {
	case next == nil && live == nil:
		return nil, kv.ErrNotFound
	case next == nil:
		return s.Write(ctx, key, live, nil, ttl)
	}
	value := next.Encode()
	if live != nil && live.Holds(value) {
		return live, nil // what changes nothing is not written
	}
	return s.Write(ctx, key, live, value, ttl)
}

func (d *direct) Write(ctx context.Context, key string, live *object.Encoded, value []byte, ttl time.Duration) (*object.Encoded, error) {
	w := kv.Write{Key: key, Value: value, TTL: ttl, Delete: value == nil}
	if live != nil {
		w.IfRev = live.Revision()
	}
	rev, err := d.kv.Write(ctx, w)
	switch {
	case errors.Is(err, kv.ErrExists), errors.Is(err, kv.ErrNotFound):
		return nil, kv.ErrConflict
	case err != nil:
		return nil, err
	case w.Delete:
		return live.At(rev), nil
	}
	return object.NewEncoded(value, rev), nil
}

func (d *direct) Tell(prefix string, listen func([]Event)) (ok bool) {
	return d.kv.Tell(func(events []kv.Event) {
		var own []Event
		for _, ev := range events {
			if strings.HasPrefix(ev.KV.Key, prefix) {
				own = append(own, fromKV(ev))
			}
		}
		if len(own) > 0 {
			listen(own)
		}
	})
}

func (d *direct) Watch(ctx context.Context, prefix string, rev int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for ev, err := range d.kv.Watch(ctx, prefix, kv.PrefixEnd(prefix), rev) {
			if err != nil {
				yield(Event{}, err)
				return
			}
			if !yield(fromKV(ev), nil) {
				return
			}
		}
	}
}

func fromKV(ev kv.Event) Event {
	out := Event{Type: Added, Key: ev.KV.Key, Revision: ev.KV.Revision}
	if ev.KV.Key == "" {
		out.Type = Bookmark
		return out
	}
	if ev.Prev != nil {
		out.Type = Modified
		out.Prev = object.NewEncoded(ev.Prev.Value, ev.Prev.Revision)
	}
	if ev.Deleted {
		out.Type = Deleted
		out.Object = object.NewEncoded(ev.Prev.Value, ev.KV.Revision)
	} else {
		out.Object = object.NewEncoded(ev.KV.Value, ev.KV.Revision)
	}
	return out
}
