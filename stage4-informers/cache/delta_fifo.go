package cache

import (
	"maps"
	"slices"
	"sync"

	"example.com/kube-apiserver/stage3-storage/object"
)

// DeltaType says how the queue heard of an object.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go DeltaType
type DeltaType string

const (
	Added    DeltaType = "Added"
	Updated  DeltaType = "Updated"
	Deleted  DeltaType = "Deleted"
	Replaced DeltaType = "Replaced" // it is in a list; whether it changed is for the consumer to see
	Sync     DeltaType = "Sync"     // nothing happened: a resync
)

// Delta is one thing that happened to one object. Object is a *object.Encoded
// or, in a Deleted, perhaps a DeletedFinalStateUnknown.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Delta
type Delta struct {
	Type   DeltaType
	Object any
}

// DeletedFinalStateUnknown stands for an object whose deletion was not seen:
// the watch was interrupted, and the next list had no such object any more.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go DeletedFinalStateUnknown
type DeletedFinalStateUnknown struct {
	Key string
	Obj *object.Encoded // the last state that is known
}

// DeltaFIFO is the queue between the Reflector and the cache. Its entries are
// keys: an object that changes while it waits keeps its place and gathers
// deltas. It has no bound, because its producer must never wait.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go DeltaFIFO
type DeltaFIFO struct {
	knownObjects Store // the cache behind the queue

	mu      sync.Mutex // guards what follows
	wake    sync.Cond  // an entry came, or Close
	items   map[string][]Delta
	queue   []string // the keys of items, oldest first
	initial int      // entries of the first list that still wait; -1 before there was one
	closed  bool
}

// NewDeltaFIFO returns an empty queue in front of a cache.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go NewDeltaFIFO
func NewDeltaFIFO(knownObjects Store) *DeltaFIFO {
	f := &DeltaFIFO{knownObjects: knownObjects, items: map[string][]Delta{}, initial: -1}
	f.wake.L = &f.mu
	return f
}

// Add, Update and Delete queue what an event says. The deletion of what nobody
// knows is no news.
func (f *DeltaFIFO) Add(obj *object.Encoded) error    { return f.changed(Added, obj) }
func (f *DeltaFIFO) Update(obj *object.Encoded) error { return f.changed(Updated, obj) }
func (f *DeltaFIFO) Delete(obj *object.Encoded) error { return f.changed(Deleted, obj) }

func (f *DeltaFIFO) changed(t DeltaType, obj *object.Encoded) error {
	key, err := MetaNamespaceKeyFunc(obj)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if t != Deleted || f.lastKnown(key) != nil {
		f.queueAction(key, Delta{t, obj})
	}
	return nil
}

// Replace queues a whole list: a Replaced for everything in it, and a Deleted
// for everything known that is missing from it. Without those, an object
// deleted while nobody watched would stay in the cache for ever.
//
// Differs: 1.7 queues a Sync for what is in the list, which reaches only the handlers of the last resync (Replaced came in 1.18).
// Differs: 1.7 drops that Sync where a deletion waits, and so loses an object that was made again meanwhile.
// Differs: 1.7 looks for missing objects only in the cache, not among those still queued, which then become ghosts.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Replace
func (f *DeltaFIFO) Replace(list []*object.Encoded) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	listed := map[string]bool{}
	for _, obj := range list {
		key, err := MetaNamespaceKeyFunc(obj)
		if err != nil {
			return err
		}
		listed[key] = true
		f.queueAction(key, Delta{Replaced, obj})
	}
	f.deleteMissing(listed)
	if f.initial < 0 {
		f.initial = len(f.queue)
	}
	return nil
}

// deleteMissing queues a Deleted for what is known and not listed.
func (f *DeltaFIFO) deleteMissing(listed map[string]bool) {
	queuedOrCached := slices.AppendSeq(slices.Clone(f.queue), maps.Keys(f.knownObjects.List()))
	for _, key := range queuedOrCached {
		if obj := f.lastKnown(key); obj != nil && !listed[key] {
			f.queueAction(key, Delta{Deleted, DeletedFinalStateUnknown{key, obj}})
		}
	}
}

// lastKnown is the state of an object that handlers know when they have heard
// all that is queued; nil where it does not exist.
func (f *DeltaFIFO) lastKnown(key string) *object.Encoded {
	deltas, queued := f.items[key]
	if !queued {
		obj, _ := f.knownObjects.GetByKey(key)
		return obj
	}
	newest := deltas[len(deltas)-1]
	if newest.Type == Deleted {
		return nil
	}
	return newest.Object.(*object.Encoded)
}

// queueAction appends to an object's entry. Nothing is merged, so a handler may
// hear of states that are gone already, but never in a wrong order.
func (f *DeltaFIFO) queueAction(key string, d Delta) {
	if _, queued := f.items[key]; !queued {
		f.queue = append(f.queue, key)
	}
	f.items[key] = append(f.items[key], d)
	f.wake.Signal()
}

// Resync queues a Sync for every object as it is in the cache; nothing is asked
// of the server, nor written anywhere. What is queued anyway is left out: the
// handlers are about to hear something newer.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Resync
func (f *DeltaFIFO) Resync() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key, obj := range f.knownObjects.List() {
		if _, queued := f.items[key]; !queued {
			f.queueAction(key, Delta{Sync, obj})
		}
	}
}

// Pop waits for an entry and has it processed, or returns false when the queue
// is closed. The queue stays locked: nobody sees HasSynced become true before
// the last object of the first list is in the cache.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Pop
func (f *DeltaFIFO) Pop(process func(key string, deltas []Delta)) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) == 0 && !f.closed {
		f.wake.Wait()
	}
	if f.closed {
		return false
	}
	key := f.queue[0]
	deltas := f.items[key]
	f.queue = f.queue[1:]
	delete(f.items, key)
	if f.initial > 0 {
		f.initial--
	}
	process(key, deltas)
	return true
}

// HasSynced is true once everything in the first list has been popped, for good.
func (f *DeltaFIFO) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.initial == 0
}

// Close ends Pop. What is still queued is dropped; 1.7 works it off first.
func (f *DeltaFIFO) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.wake.Signal()
}
