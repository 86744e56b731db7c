package cacher

import (
	"context"
	"fmt"
	"log"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/storage"
	"github.com/tidwall/btree"
)

// Cacher keeps one resource in memory.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/cacher.go Cacher
type Cacher struct {
	storage.Interface        // for writes, and for what memory does not have
	prefix            string // of the resource's keys, with the slash at its end
	told              bool   // the store tells of a change before anybody knows of it
	untilBookmark     Bookmarks

	mu      sync.Mutex // guards what follows; held for moments only, as writers wait for it
	filled  bool       // objects is complete
	failed  bool       // filling it did not work, and is tried again
	reached int64      // the newest revision that was heard of
	objects objects
	log     changes
	changed chan struct{} // closed and replaced when anything above changes
}

// objects are in the order of their keys. A copy costs nothing until one of
// the two changes, and then only the few nodes on the way to the change: that is
// how a list is one moment although writers do not wait for it.
type objects = btree.Map[string, *object.Encoded]

// Bookmarks says how long it takes until a watcher to which nothing happens is
// told how far the stream has come. ctx is that of the watch.
type Bookmarks func(ctx context.Context) time.Duration

// Cachers are the Cachers of a server, to be stopped together.
type Cachers struct {
	ctx       context.Context
	cancel    context.CancelFunc
	running   sync.WaitGroup
	bookmarks Bookmarks

	mu       sync.Mutex // guards byPrefix
	byPrefix map[string]*Cacher
}

// New returns a set without Cachers.
func New(bookmarks Bookmarks) *Cachers {
	ctx, cancel := context.WithCancel(context.Background())
	return &Cachers{ctx: ctx, cancel: cancel, bookmarks: bookmarks, byPrefix: map[string]*Cacher{}}
}

// Decorate is a storage.Decorator: it puts a Cacher before a store. Two
// kinds with the same objects share one.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/storage_factory.go StorageWithCacher
func (c *Cachers) Decorate(inner storage.Interface, prefix string) storage.Interface {
	c.mu.Lock()
	defer c.mu.Unlock()
	cacher := c.byPrefix[prefix]
	if cacher == nil {
		cacher = &Cacher{Interface: inner, prefix: prefix + "/", untilBookmark: c.bookmarks, changed: make(chan struct{})}
		cacher.told = inner.Tell(cacher.prefix, cacher.take)
		c.byPrefix[prefix] = cacher
		c.running.Go(func() { cacher.run(c.ctx) })
	}
	return cacher
}

// Stop ends all Cachers and waits for them.
func (c *Cachers) Stop() {
	c.cancel()
	c.running.Wait()
}

// run fills the cache and keeps it, until ctx ends. Where the connection to the
// store breaks, it begins anew.
func (c *Cacher) run(ctx context.Context) {
	for said := ""; ctx.Err() == nil; {
		err := c.fill(ctx)
		if err == nil {
			err = c.follow(ctx)
		}
		c.fail()
		if ctx.Err() == nil && said != err.Error() { // once, not each second
			said = err.Error()
			log.Printf("cache of %s: %v", c.prefix, err)
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

// fill reads all objects, and adds what the store tells meanwhile.
func (c *Cacher) fill(ctx context.Context) error {
	c.mu.Lock()
	c.filled, c.log = false, changes{oldest: c.reached}
	c.mu.Unlock()
	list, err := c.Interface.List(ctx, c.prefix, storage.ListOptions{})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if list.Revision < c.log.oldest {
		return fmt.Errorf("a list of revision %d came after a change of revision %d", list.Revision, c.log.oldest)
	}
	c.objects = objects{}
	for i, obj := range list.Items {
		c.objects.Set(list.Keys[i], obj)
	}
	for _, ev := range c.log.since(list.Revision, all) {
		apply(&c.objects, ev)
	}
	c.filled, c.failed = true, false
	c.log.oldest, c.reached = list.Revision, max(c.reached, list.Revision)
	c.wake()
	return nil
}

// follow reads what the store does not tell by itself. Where it tells, only
// time goes by, so that the log shrinks after a burst.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/reflector.go ListAndWatch
func (c *Cacher) follow(ctx context.Context) error {
	for c.told {
		select {
		case <-time.After(keepFor):
			c.take(nil)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for ev, err := range c.Interface.Watch(ctx, c.prefix, c.reached) {
		if err != nil {
			return err
		}
		c.take([]storage.Event{ev})
	}
	return ctx.Err()
}

// take applies changes, and forgets those that are too old. The writers wait for it.
func (c *Cacher) take(events []storage.Event) {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ev := range events {
		c.reached = max(c.reached, ev.Revision)
		if ev.Type == storage.Bookmark {
			continue
		}
		if old, ok := c.objects.Get(ev.Key); ok {
			ev.Prev = old // one copy, not one in the map and one in the log
		}
		apply(&c.objects, ev)
		c.log.add(ev, now)
	}
	if c.filled { // what is being filled needs all that is told meanwhile
		c.log.trim(now)
	}
	c.wake()
}

// fail sends readers to the store, so that they need not wait for a cache that may never come.
func (c *Cacher) fail() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.filled, c.failed = false, true
	c.wake()
}

func apply(to *objects, ev storage.Event) {
	if ev.Type == storage.Deleted {
		to.Delete(ev.Key)
	} else {
		to.Set(ev.Key, ev.Object)
	}
}

func (c *Cacher) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}
