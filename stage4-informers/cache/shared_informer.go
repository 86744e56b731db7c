package cache

import (
	"context"
	"log"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
)

// SharedInformer is one cache for many handlers. It promises that
//
//   - a handler hears of every object, also of those that were there before it;
//   - it hears of one change after the other, in their order;
//   - when it hears of a change, the cache has it already.
//
// A handler may not see every state in between: after a lost connection it
// hears of the difference only.
//
// These are the seven methods of the article.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedInformer
type SharedInformer interface {
	// AddEventHandler adds a handler with the informer's own resync period.
	AddEventHandler(handler ResourceEventHandler)
	// AddEventHandlerWithResyncPeriod adds a handler that is shown all cached
	// objects every resyncPeriod, as updates from an object to itself. 0 is never.
	// Nothing is synchronised with a server by that.
	AddEventHandlerWithResyncPeriod(handler ResourceEventHandler, resyncPeriod time.Duration)
	// GetStore returns the cache. It is there to be read; nothing on it is called
	// when something happens.
	GetStore() Store
	// GetController returns a view of the informer. Its Run does nothing.
	GetController() Controller
	// Run works until stopCh is closed, so call it with go. It returns when its
	// goroutines have ended and no handler is being called any more.
	Run(stopCh <-chan struct{})
	// HasSynced is true once all objects of the first list are in the cache. The
	// handlers may not have been called yet.
	HasSynced() bool
	// LastSyncResourceVersion is the version of the last list or event seen, ""
	// before the first.
	LastSyncResourceVersion() string
}

// SharedIndexInformer is a SharedInformer whose cache has indexes.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedIndexInformer
type SharedIndexInformer interface {
	SharedInformer
	// AddIndexers adds indexes, also while the informer runs; 1.7 refuses that.
	AddIndexers(indexers Indexers) error
	GetIndexer() Indexer // the same as GetStore
}

// NewSharedIndexInformer returns an informer that does not run yet. name is
// the collection's, for the log. A defaultEventHandlerResyncPeriod of 0 means
// that no handler can ask for a resync either.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go NewSharedIndexInformer
func NewSharedIndexInformer(name string, lw ListerWatcher, defaultEventHandlerResyncPeriod time.Duration, indexers Indexers) SharedIndexInformer {
	return &sharedIndexInformer{
		name: name, lw: lw, indexer: NewIndexer(indexers),
		defaultResyncPeriod: defaultEventHandlerResyncPeriod, resyncCheckPeriod: defaultEventHandlerResyncPeriod,
	}
}

type sharedIndexInformer struct {
	name                string
	lw                  ListerWatcher
	indexer             Indexer
	processor           sharedProcessor
	defaultResyncPeriod time.Duration

	// blockDeltas is held while a change goes into the cache and out to the
	// handlers. A late handler holds it to begin at one moment between two changes.
	blockDeltas sync.Mutex

	mu                sync.Mutex    // guards what follows; taken before blockDeltas
	resyncCheckPeriod time.Duration // how often the Reflector looks for handlers whose resync is due
	controller        Controller    // nil before Run
}

// Run is part of SharedInformer. A second Run does nothing.
func (s *sharedIndexInformer) Run(stopCh <-chan struct{}) {
	controller := s.start()
	if controller == nil {
		log.Printf("informer of %s: Run was called again; an informer runs once", s.name)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { controller.Run(ctx) })
	<-stopCh
	cancel()
	running.Wait()
	s.processor.stop() // last, when nobody can give it anything more to do
}

func (s *sharedIndexInformer) start() Controller {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.controller != nil {
		return nil
	}
	s.controller = New(Config{
		Name:             s.name,
		Queue:            NewDeltaFIFO(s.indexer),
		ListerWatcher:    s.lw,
		Process:          s.HandleDeltas,
		FullResyncPeriod: s.resyncCheckPeriod,
		ShouldResync:     s.processor.shouldResync,
	})
	s.processor.start()
	return s.controller
}

// HandleDeltas puts what happened to one object into the cache and then tells
// the handlers, in this order: a handler that looks into the cache finds there
// what it was told, or something newer.
//
// What a relist found changed goes to all handlers, what it found unchanged to
// none, a resync to those that are due for one.
//
// Differs: 1.7 treats a relist as a resync, so that a handler without a resync may miss what a relist found; today's treats what it found unchanged so.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go HandleDeltas
func (s *sharedIndexInformer) HandleDeltas(deltas Deltas) error {
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	for _, d := range deltas {
		obj := lastState(d.Object)
		if d.Type == Deleted {
			if err := s.indexer.Delete(obj); err != nil {
				return err
			}
			s.processor.distribute(func(h ResourceEventHandler) { h.OnDelete(d.Object) }, false)
			continue
		}
		old, exists, err := s.indexer.Get(obj)
		if err == nil {
			err = s.indexer.Update(obj)
		}
		if err != nil {
			return err
		}
		switch {
		case !exists:
			s.processor.distribute(added(obj), false)
		case d.Type != Replaced || !sameVersion(old, obj):
			s.processor.distribute(func(h ResourceEventHandler) { h.OnUpdate(old, obj) }, d.Type == Sync)
		}
	}
	return nil
}

func sameVersion(a, b *object.Encoded) bool {
	va, errA := versionOf(a)
	vb, errB := versionOf(b)
	return errA == nil && errB == nil && va == vb
}

func added(obj *object.Encoded) notification {
	return func(h ResourceEventHandler) { h.OnAdd(obj) }
}

func (s *sharedIndexInformer) HasSynced() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.controller != nil && s.controller.HasSynced()
}

func (s *sharedIndexInformer) LastSyncResourceVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.controller == nil {
		return ""
	}
	return s.controller.LastSyncResourceVersion()
}

func (s *sharedIndexInformer) GetStore() Store { return s.indexer }

func (s *sharedIndexInformer) GetIndexer() Indexer { return s.indexer }

func (s *sharedIndexInformer) AddIndexers(indexers Indexers) error {
	return s.indexer.AddIndexers(indexers)
}

func (s *sharedIndexInformer) GetController() Controller { return dummyController{s} }

// dummyController shows an informer as a Controller that somebody else runs.
//
// Differs: 1.7's has an empty LastSyncResourceVersion.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go dummyController
type dummyController struct{ *sharedIndexInformer }

func (dummyController) Run(context.Context) {}
