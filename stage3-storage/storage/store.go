package storage

import (
	"context"
	"errors"
	"iter"

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
	r.Revision, r.Limit = opts.Revision, opts.Limit
	if opts.After != "" {
		r.Start = opts.After + "\x00"
	}
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
			list.Items = append(list.Items, e)
			if left := got.More + len(got.KVs) - i - 1; len(list.Items) == opts.Limit && left > 0 {
				list.LastKey, list.Remaining = item.Key, left
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

func (d *direct) GuaranteedUpdate(ctx context.Context, key string, update Update) (*object.Encoded, error) {
	for {
		next, err := d.tryUpdate(ctx, key, update)
		if !errors.Is(err, errRaced) {
			return next, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// errRaced: somebody else wrote between our read and our write.
var errRaced = errors.New("raced")

func (d *direct) tryUpdate(ctx context.Context, key string, update Update) (*object.Encoded, error) {
	got, err := d.kv.Get(ctx, key)
	if err != nil && !errors.Is(err, kv.ErrNotFound) {
		return nil, err
	}
	var live *object.Encoded
	if err == nil {
		live = object.NewEncoded(got.Value, got.Revision)
	} else {
		got = kv.KV{} // what a deleted key had is no precondition for making it anew
	}
	next, ttl, err := update(live)
	if errors.Is(err, ErrUnchanged) {
		return live, nil
	}
	if err != nil {
		return nil, err
	}
	w := kv.Write{Key: key, IfRev: got.Revision, TTL: ttl, Delete: next == nil}
	if next != nil {
		w.Value = next.Encode()
		if live != nil && string(w.Value) == string(got.Value) {
			return live, nil // what changes nothing is not written
		}
	}
	return d.write(ctx, w, got)
}

func (d *direct) write(ctx context.Context, w kv.Write, got kv.KV) (*object.Encoded, error) {
	rev, err := d.kv.Write(ctx, w)
	switch {
	case errors.Is(err, kv.ErrExists), errors.Is(err, kv.ErrNotFound), errors.Is(err, kv.ErrConflict):
		return nil, errRaced
	case err != nil:
		return nil, err
	case w.Delete:
		return object.NewEncoded(got.Value, rev), nil
	}
	return object.NewEncoded(w.Value, rev), nil
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
