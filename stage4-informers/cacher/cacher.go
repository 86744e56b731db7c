package cacher

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
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
	stop              context.CancelFunc
	done              chan struct{}

	mu      sync.Mutex // guards what follows; held for moments only, as writers wait for it
	gather  bool       // what is told counts
	filled  bool       // objects is complete
	failed  error      // why there is no cache and will be none
	reached int64      // the newest revision that was heard of
	objects objects
	log     changes
	changed chan struct{} // closed and replaced when anything above changes
}

// objects are in the order of their keys. A copy costs nothing until one of
// the two changes, and then only the few nodes on the way to the change: that is
// how a list is one moment although writers do not wait for it.
type objects = btree.Map[string, *object.Encoded]

// Cachers are the Cachers of a server, to be stopped together.
type Cachers struct {
	mu       sync.Mutex // guards byPrefix
	byPrefix map[string]*Cacher
}

// Decorate is a storage.Decorator: it puts a Cacher before a store. Two
// kinds with the same objects share one.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/storage_factory.go StorageWithCacher
func (c *Cachers) Decorate(inner storage.Interface, prefix string) storage.Interface {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.byPrefix[prefix]; known != nil {
		return known
	}
	ctx, stop := context.WithCancel(context.Background())
	cacher := &Cacher{Interface: inner, prefix: prefix + "/", stop: stop, done: make(chan struct{}), changed: make(chan struct{})}
	cacher.told = inner.Tell(cacher.prefix, cacher.take)
	if c.byPrefix == nil {
		c.byPrefix = map[string]*Cacher{}
	}
	c.byPrefix[prefix] = cacher
	go cacher.run(ctx)
	return cacher
}

// Stop ends all watches and waits for the Cachers' goroutines.
func (c *Cachers) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cacher := range c.byPrefix {
		cacher.stop()
	}
	for _, cacher := range c.byPrefix {
		<-cacher.done
	}
}

// run fills the cache and keeps it, until ctx ends. Where the connection to the
// store breaks, it begins anew.
func (c *Cacher) run(ctx context.Context) {
	defer close(c.done)
	for ctx.Err() == nil {
		err := c.fill(ctx)
		if err == nil && !c.told {
			err = c.follow(ctx)
		}
		if err == nil {
			c.rest(ctx)
		}
		if ctx.Err() != nil || errors.Is(err, kv.ErrClosed) {
			break
		}
		if c.failed == nil || c.failed.Error() != err.Error() { // once, not each second
			log.Printf("cache of %s: %v", c.prefix, err)
		}
		c.end(err)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	c.end(kv.ErrClosed)
}

// fill reads all objects. What the store tells meanwhile gathers in the log.
func (c *Cacher) fill(ctx context.Context) error {
	c.mu.Lock()
	c.gather, c.log = true, changes{}
	missed := c.reached
	c.mu.Unlock()
	list, err := c.Interface.List(ctx, c.prefix, storage.ListOptions{})
	if err == nil && list.Revision < missed {
		err = fmt.Errorf("a list of revision %d came after a change of revision %d", list.Revision, missed)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.objects = objects{}
	for i, obj := range list.Items {
		c.objects.Set(list.Keys[i], obj)
	}
	for _, ev := range c.log.since(list.Revision, all) {
		apply(&c.objects, ev)
	}
	c.log.oldest, c.reached = list.Revision, max(c.reached, list.Revision)
	c.filled, c.failed = true, nil
	c.wake()
	return nil
}

// follow reads what the store does not tell by itself.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/reflector.go ListAndWatch
func (c *Cacher) follow(ctx context.Context) error {
	for ev, err := range c.Interface.Watch(ctx, c.prefix, c.log.oldest) {
		if err != nil {
			return err
		}
		c.take([]storage.Event{ev})
	}
	return ctx.Err()
}

// take applies changes. The writers wait for it.
func (c *Cacher) take(events []storage.Event) {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ev := range events {
		c.reached = max(c.reached, ev.Revision)
		if ev.Type == storage.Bookmark || !c.gather {
			continue
		}
		if old, ok := c.objects.Get(ev.Key); ok {
			ev.Prev = old // one copy, not one in the map and one in the log
		}
		apply(&c.objects, ev)
		c.log.add(ev, now)
	}
	if c.filled {
		c.log.trim(now)
	}
	c.wake()
}

func apply(to *objects, ev storage.Event) {
	if ev.Type == storage.Deleted {
		to.Delete(ev.Key)
	} else {
		to.Set(ev.Key, ev.Object)
	}
}

// rest lets the log shrink after a burst, when no change comes to do it.
func (c *Cacher) rest(ctx context.Context) {
	tick := time.NewTicker(keepFor)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			c.mu.Lock()
			c.log.trim(now)
			c.mu.Unlock()
		}
	}
}

// end says that the cache is none any more: watches end, and reads go to the store.
func (c *Cacher) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gather, c.filled, c.failed = false, false, err
	c.wake()
}

func (c *Cacher) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

var _ storage.Interface = (*Cacher)(nil)
