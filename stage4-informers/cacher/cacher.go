package cacher

import (
	"context"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// capacity is how many events are kept for watchers to read.
const capacity = 4096

// Cacher answers watches from memory. Everything else goes to the store.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/cacher.go Cacher
type Cacher struct {
	storage.Interface
	stop context.CancelFunc
	done chan struct{}

	mu      sync.Mutex // guards what follows
	events  []storage.Event
	oldest  int64         // every event after this revision is in events
	ended   error         // why there will be no more events
	changed chan struct{} // closed and replaced when anything above changes
}

// Cachers are the Cachers of a server, to be stopped together.
type Cachers struct {
	mu   sync.Mutex // guards list
	list []*Cacher
}

// Decorate is a storage.Decorator: it puts a Cacher before a store. Nothing is
// read until the first watch.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/storage_factory.go StorageWithCacher
func (c *Cachers) Decorate(inner storage.Interface, prefix string) storage.Interface {
	cacher := &Cacher{Interface: inner, changed: make(chan struct{}), done: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	cacher.stop = stop
	rev, err := inner.Revision(ctx)
	cacher.oldest, cacher.ended = rev, err
	go cacher.follow(ctx, prefix+"/", rev)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, cacher)
	return cacher
}

// Stop ends all watches and waits for the readers.
func (c *Cachers) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cacher := range c.list {
		cacher.stop()
	}
	for _, cacher := range c.list {
		<-cacher.done
	}
}

// follow copies the store's events into the log, until ctx ends.
func (c *Cacher) follow(ctx context.Context, prefix string, rev int64) {
	defer close(c.done)
	for ev, err := range c.Interface.Watch(ctx, prefix, rev) {
		c.add(ev, err)
	}
	c.add(storage.Event{}, kv.ErrClosed)
}

func (c *Cacher) add(ev storage.Event, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		if c.ended == nil {
			c.ended = err
		}
	} else {
		if len(c.events) == capacity {
			c.oldest = c.events[capacity/2-1].Revision
			c.events = slices.Clone(c.events[capacity/2:])
		}
		c.events = append(c.events, ev)
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

// after returns the events behind rev and a channel that is closed when there
// are more. ok is false where the log does not reach back to rev.
func (c *Cacher) after(rev int64) (events []storage.Event, changed <-chan struct{}, ended error, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := sort.Search(len(c.events), func(i int) bool { return c.events[i].Revision > rev })
	return c.events[i:len(c.events):len(c.events)], c.changed, c.ended, rev >= c.oldest
}

// Watch is part of storage.Interface.
func (c *Cacher) Watch(ctx context.Context, prefix string, rev int64) iter.Seq2[storage.Event, error] {
	return func(yield func(storage.Event, error) bool) {
		for {
			events, changed, ended, ok := c.after(rev)
			if !ok {
				var goOn bool
				if rev, goOn = c.history(ctx, prefix, rev, yield); !goOn {
					return
				}
				continue
			}
			for _, ev := range events {
				rev = ev.Revision
				if strings.HasPrefix(ev.Key, prefix) && !yield(ev, nil) {
					return
				}
			}
			if len(events) > 0 {
				continue
			}
			if ended != nil {
				yield(storage.Event{}, ended)
				return
			}
			select {
			case <-changed:
			case <-ctx.Done():
				yield(storage.Event{}, ctx.Err())
				return
			}
		}
	}
}

// history reads from the store until the log reaches back far enough. It says
// how far it came, and whether to go on.
func (c *Cacher) history(ctx context.Context, prefix string, rev int64, yield func(storage.Event, error) bool) (int64, bool) {
	for ev, err := range c.Interface.Watch(ctx, prefix, rev) {
		if !yield(ev, err) || err != nil {
			return rev, false
		}
		rev = ev.Revision
		if _, _, _, ok := c.after(rev); ok {
			return rev, true
		}
	}
	return rev, false
}

var _ storage.Interface = (*Cacher)(nil)
