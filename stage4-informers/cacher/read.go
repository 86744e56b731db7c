package cacher

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// patience is how long a reader waits for a Cacher that is behind, before it
// asks the store itself.
const patience = 3 * time.Second

var errNoCache = errors.New("not in memory")

// fresh returns the newest revision once memory has come so far: what is read
// then has every write that was acknowledged before the call.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/watch_cache.go waitUntilFreshAndBlock
func (c *Cacher) fresh(ctx context.Context) (int64, error) {
	rev, err := c.Interface.Revision(ctx)
	if err != nil {
		return 0, err
	}
	for late := time.Now().Add(patience); ; {
		c.mu.Lock()
		ok, failed, changed := c.filled && (c.told || c.reached >= rev), c.failed, c.changed
		c.mu.Unlock()
		switch {
		case ok:
			return rev, nil
		case failed:
			return 0, errNoCache
		}
		select {
		case <-changed:
		case <-time.After(time.Until(late)):
			return 0, errNoCache
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// Get is part of storage.Interface.
func (c *Cacher) Get(ctx context.Context, key string) (*object.Encoded, error) {
	if _, err := c.fresh(ctx); errors.Is(err, errNoCache) {
		return c.Interface.Get(ctx, key)
	} else if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if obj, ok := c.objects.Get(key); ok {
		return obj, nil
	}
	return nil, kv.ErrNotFound
}

// List is part of storage.Interface. A list without a revision is one of the
// newest revision, and so is read like any other.
func (c *Cacher) List(ctx context.Context, prefix string, opts storage.ListOptions) (storage.List, error) {
	newest, err := c.fresh(ctx)
	if err == nil && opts.Revision > newest {
		err = kv.ErrFuture
	}
	var past *objects
	if err == nil {
		opts.Revision = cmp.Or(opts.Revision, newest)
		past, err = c.at(opts.Revision)
	}
	switch {
	case errors.Is(err, errNoCache):
		return c.Interface.List(ctx, prefix, opts)
	case err != nil:
		return storage.List{}, err
	}
	return list(past, prefix, opts), nil
}

// at returns the objects as they were at a revision: as they are now, with the
// changes since then undone.
func (c *Cacher) at(rev int64) (*objects, error) {
	c.mu.Lock()
	if rev < c.log.oldest {
		c.mu.Unlock()
		return nil, errNoCache
	}
	past, later := c.objects.Copy(), c.log.since(rev, all)
	c.mu.Unlock()
	for _, ev := range slices.Backward(later) {
		if ev.Prev == nil {
			past.Delete(ev.Key)
		} else {
			past.Set(ev.Key, ev.Prev)
		}
	}
	return past, nil
}

// list collects what matches. What is behind the limit is counted by the
// nodes of the map, not one by one: a page costs the same however long the list is.
func list(from *objects, prefix string, opts storage.ListOptions) storage.List {
	got := storage.List{Items: []*object.Encoded{}, Revision: opts.Revision}
	from.Ascend(max(prefix, opts.Start), func(key string, obj *object.Encoded) bool {
		switch {
		case !strings.HasPrefix(key, prefix):
			return false
		case opts.Limit > 0 && len(got.Items) == opts.Limit:
			got.Remaining = position(from, kv.PrefixEnd(prefix)) - position(from, key)
			return false
		case opts.Match == nil || opts.Match(obj):
			got.Items, got.Keys = append(got.Items, obj), append(got.Keys, key)
		}
		return true
	})
	return got
}

// position is how many keys are before this one.
func position(in *objects, key string) int {
	return sort.Search(in.Len(), func(i int) bool {
		at, _, _ := in.GetAt(i)
		return at >= key
	})
}
