package cache

import (
	"errors"
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
// or, in a Deleted, a DeletedFinalStateUnknown.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Delta
type Delta struct {
	Type   DeltaType
	Object any
}

// Deltas is what happened to one object, oldest first.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Deltas
type Deltas []Delta

// ErrFIFOClosed is what Pop returns after Close.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/fifo.go FIFOClosedError
var ErrFIFOClosed = errors.New("DeltaFIFO: manipulating with closed queue")

// KeyListerGetter is what the queue must know of the cache behind it.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go KeyListerGetter
type KeyListerGetter interface {
	ListKeys() []string
	GetByKey(key string) (item *object.Encoded, exists bool)
}

// DeltaFIFO is the queue between the Reflector and the cache. Its entries are
// keys: an object that changes while it waits keeps its place and gathers
// deltas, so the consumer hears all that happened to one object at once.
//
// It is unbounded, because its producer must never wait for its consumer.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go DeltaFIFO
type DeltaFIFO struct {
	knownObjects KeyListerGetter

	mu        sync.Mutex // guards what follows
	wake      sync.Cond  // an entry came, or Close
	items     map[string]Deltas
	queue     []string // the keys of items, in the order in which they will be popped
	populated bool     // something has come in, if only an empty list
	initial   int      // entries of the first list that still wait
	closed    bool
}

// NewDeltaFIFO returns an empty queue in front of a cache.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go NewDeltaFIFO
func NewDeltaFIFO(knownObjects KeyListerGetter) *DeltaFIFO {
	f := &DeltaFIFO{knownObjects: knownObjects, items: map[string]Deltas{}}
	f.wake.L = &f.mu
	return f
}

// Add queues a new object.
func (f *DeltaFIFO) Add(obj *object.Encoded) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.populated = true
	return f.queueAction(Added, obj)
}

// Update queues a changed object.
func (f *DeltaFIFO) Update(obj *object.Encoded) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.populated = true
	return f.queueAction(Updated, obj)
}

// Delete queues a deletion, unless nobody ever heard of the object.
func (f *DeltaFIFO) Delete(obj *object.Encoded) error {
	key, err := MetaNamespaceKeyFunc(obj)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.populated = true
	_, known := f.knownObjects.GetByKey(key)
	if _, queued := f.items[key]; !queued && !known {
		return nil
	}
	return f.queueAction(Deleted, obj)
}

// queueAction appends a delta to its object's entry.
func (f *DeltaFIFO) queueAction(t DeltaType, obj any) error {
	key, err := DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		return err
	}
	if _, queued := f.items[key]; !queued {
		f.queue = append(f.queue, key)
	}
	f.items[key] = dedupDeltas(append(f.items[key], Delta{t, obj}))
	f.wake.Broadcast()
	return nil
}

// dedupDeltas merges what is twice the same: two deletions in a row, of which
// the one that has seen the object tells more. Nothing else is merged, so a
// handler may hear of states that are gone already, but never in a wrong order.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go dedupDeltas
func dedupDeltas(deltas Deltas) Deltas {
	n := len(deltas)
	if n < 2 || deltas[n-1].Type != Deleted || deltas[n-2].Type != Deleted {
		return deltas
	}
	if _, unseen := deltas[n-1].Object.(DeletedFinalStateUnknown); !unseen {
		deltas[n-2] = deltas[n-1]
	}
	return deltas[:n-1]
}

// Pop waits for an entry and has it processed. Process runs while the queue is
// locked: it must be quick, and nobody sees HasSynced become true before the
// last object of the first list is in the cache.
//
// Simplified: upstream puts an entry back if process returns ErrRequeue.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Pop
func (f *DeltaFIFO) Pop(process func(Deltas) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) == 0 && !f.closed {
		f.wake.Wait()
	}
	if f.closed {
		return ErrFIFOClosed
	}
	key := f.queue[0]
	f.queue = f.queue[1:]
	deltas := f.items[key]
	delete(f.items, key)
	if f.initial > 0 {
		f.initial--
	}
	return process(deltas)
}

// HasSynced is true once everything in the first list has been popped. It
// stays true, also when the connection is lost later.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go HasSynced
func (f *DeltaFIFO) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.populated && f.initial == 0
}

// Close ends Pop. What is still queued is dropped; 1.7 works it off first.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Close
func (f *DeltaFIFO) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.wake.Broadcast()
}
