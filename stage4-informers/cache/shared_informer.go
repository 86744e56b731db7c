package cache

import (
	"context"
	"log"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
)

// SharedInformer is one cache for many handlers. A handler hears of every
// object, also of those that were there before it, and of one change after the
// other; when it hears of a change, the cache has it already. Where the server
// has forgotten what happened during an interruption, it hears what came of it.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedInformer
type SharedInformer interface {
	// AddEventHandler adds a handler with the informer's own resync period.
	AddEventHandler(handler ResourceEventHandler)
	// AddEventHandlerWithResyncPeriod adds a handler that is shown the cache every
	// resyncPeriod, as updates from an object to itself. 0 is never.
	AddEventHandlerWithResyncPeriod(handler ResourceEventHandler, resyncPeriod time.Duration)
	// GetStore returns the cache. Nothing on it is called when something happens.
	GetStore() Store
	// GetController returns a view of the informer whose Run does nothing.
	GetController() Controller
	// Run works until stopCh is closed. When it returns, its goroutines have
	// ended and no handler is being called any more.
	Run(stopCh <-chan struct{})
	// HasSynced is true once the first list is in the cache; the handlers may not
	// have been called yet.
	HasSynced() bool
	// LastSyncResourceVersion is that of the last list or event, "" before the first.
	LastSyncResourceVersion() string
}

// SharedIndexInformer shows that its cache has an index.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedIndexInformer
type SharedIndexInformer interface {
	SharedInformer
	GetIndexer() Indexer // the same as GetStore
}

// Controller is the moving part of an informer.
//
// Simplified: upstream's informer makes one to hold Reflector, queue and loop; here it holds them itself.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/controller.go Controller
type Controller interface {
	Run(stopCh <-chan struct{})
	HasSynced() bool
	LastSyncResourceVersion() string
}

type sharedIndexInformer struct {
	name      string // of the collection, for the log
	reflector *Reflector
	queue     *DeltaFIFO
	indexer   Indexer

	defaultResyncPeriod time.Duration
	resyncCheckPeriod   time.Duration // of the timer; fixed when started

	// blockDeltas is held while a change goes into the cache and out to the
	// handlers, and by a late handler, so that it begins between two changes.
	blockDeltas      sync.Mutex // guards what follows
	processor        sharedProcessor
	started, stopped bool
}

// NewSharedIndexInformer returns an informer that does not run yet. With a
// defaultEventHandlerResyncPeriod of 0 no handler can ask for a resync either.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go NewSharedIndexInformer
func NewSharedIndexInformer(name string, lw ListerWatcher, defaultEventHandlerResyncPeriod time.Duration) SharedIndexInformer {
	indexer := NewIndexer()
	queue := NewDeltaFIFO(indexer)
	return &sharedIndexInformer{
		name:                name,
		reflector:           &Reflector{name: name, lw: lw, queue: queue},
		queue:               queue,
		indexer:             indexer,
		defaultResyncPeriod: defaultEventHandlerResyncPeriod,
		resyncCheckPeriod:   defaultEventHandlerResyncPeriod,
	}
}

func (s *sharedIndexInformer) AddEventHandler(handler ResourceEventHandler) {
	s.AddEventHandlerWithResyncPeriod(handler, s.defaultResyncPeriod)
}

// AddEventHandlerWithResyncPeriod first tells a late handler of what is cached.
func (s *sharedIndexInformer) AddEventHandlerWithResyncPeriod(handler ResourceEventHandler, resyncPeriod time.Duration) {
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	if s.stopped {
		return
	}
	resyncPeriod = s.grantResyncPeriod(resyncPeriod)
	l := &processorListener{handler: handler, resyncPeriod: resyncPeriod, nextResync: time.Now().Add(resyncPeriod)}
	for _, obj := range s.indexer.List() {
		l.add(added(obj))
	}
	s.processor.listeners = append(s.processor.listeners, l)
}

func (s *sharedIndexInformer) Run(stopCh <-chan struct{}) {
	if !s.start() {
		log.Printf("informer of %s: Run was called again; an informer runs once", s.name)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.reflector.Run(ctx) })
	running.Go(func() { s.resync(ctx) })
	running.Go(s.processLoop)
	<-stopCh
	cancel()
	s.queue.Close()
	running.Wait()
	s.stop() // last, when nobody can give the handlers anything more to do
}

func (s *sharedIndexInformer) start() (first bool) {
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	first, s.started = !s.started, true
	return first
}

func (s *sharedIndexInformer) stop() {
	s.blockDeltas.Lock()
	s.stopped = true
	s.blockDeltas.Unlock()
	s.processor.stop()
}

func (s *sharedIndexInformer) processLoop() {
	for s.queue.Pop(s.HandleDeltas) {
	}
}

// HandleDeltas puts what happened to one object into the cache and then tells
// the handlers, so that one that looks into the cache finds there what it was
// told, or something newer. What a relist found changed goes to all handlers,
// what it found unchanged to none, a resync to those that are due for one.
//
// Differs: 1.7 treats a relist as a resync, so that a handler without a resync may miss what a relist found.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go HandleDeltas
func (s *sharedIndexInformer) HandleDeltas(key string, deltas []Delta) {
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	for _, d := range deltas {
		if d.Type == Deleted {
			s.indexer.Delete(key)
			s.processor.distribute(func(h ResourceEventHandler) { h.OnDelete(d.Object) }, false)
			continue
		}
		obj := d.Object.(*object.Encoded)
		old, exists := s.indexer.GetByKey(key)
		s.indexer.Update(key, obj)
		switch {
		case !exists:
			s.processor.distribute(added(obj), false)
		case d.Type != Replaced || old.Revision() != obj.Revision():
			s.processor.distribute(func(h ResourceEventHandler) { h.OnUpdate(old, obj) }, d.Type == Sync)
		}
	}
}

func added(obj *object.Encoded) notification {
	return func(h ResourceEventHandler) { h.OnAdd(obj) }
}

func (s *sharedIndexInformer) GetStore() Store { return s.indexer }

func (s *sharedIndexInformer) GetIndexer() Indexer { return s.indexer }

func (s *sharedIndexInformer) HasSynced() bool { return s.queue.HasSynced() }

func (s *sharedIndexInformer) LastSyncResourceVersion() string {
	return s.reflector.LastSyncResourceVersion()
}

func (s *sharedIndexInformer) GetController() Controller { return dummyController{s} }

// dummyController is an informer that somebody else runs. 1.7's tells no version.
type dummyController struct{ *sharedIndexInformer }

func (dummyController) Run(<-chan struct{}) {}

// WaitForCacheSync waits until all of hasSynced are true. It returns false
// when stopCh is closed before.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go WaitForCacheSync
func WaitForCacheSync(stopCh <-chan struct{}, hasSynced ...func() bool) bool {
	for _, synced := range hasSynced {
		for !synced() {
			select {
			case <-time.After(100 * time.Millisecond):
			case <-stopCh:
				return false
			}
		}
	}
	return true
}
