package cache

import (
	"sync"
	"time"
)

// ResourceEventHandler hears of changes that have happened, in their order and
// never of two at once. What it gets is shared and must not be changed: a
// *object.Encoded or, in OnDelete, perhaps a DeletedFinalStateUnknown.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/controller.go ResourceEventHandler
type ResourceEventHandler interface {
	OnAdd(obj any)
	OnUpdate(oldObj, newObj any)
	OnDelete(obj any)
}

// ResourceEventHandlerFuncs is a handler made of functions; nil ones are skipped.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/controller.go ResourceEventHandlerFuncs
type ResourceEventHandlerFuncs struct {
	AddFunc    func(obj any)
	UpdateFunc func(oldObj, newObj any)
	DeleteFunc func(obj any)
}

// OnAdd calls AddFunc.
func (r ResourceEventHandlerFuncs) OnAdd(obj any) {
	if r.AddFunc != nil {
		r.AddFunc(obj)
	}
}

// OnUpdate calls UpdateFunc.
func (r ResourceEventHandlerFuncs) OnUpdate(oldObj, newObj any) {
	if r.UpdateFunc != nil {
		r.UpdateFunc(oldObj, newObj)
	}
}

// OnDelete calls DeleteFunc.
func (r ResourceEventHandlerFuncs) OnDelete(obj any) {
	if r.DeleteFunc != nil {
		r.DeleteFunc(obj)
	}
}

// notification is one call of a handler that is still to be made.
type notification func(ResourceEventHandler)

// sharedProcessor hands every notification to the listeners.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go sharedProcessor
type sharedProcessor struct{ listeners []*processorListener }

// distribute queues n with every listener; what comes of a resync, only with
// those whose turn it is.
func (p *sharedProcessor) distribute(n notification, isSync bool) {
	for _, l := range p.listeners {
		if l.syncing || !isSync {
			l.add(n)
		}
	}
}

// stop returns when no handler is being called any more. What is pending is lost.
func (p *sharedProcessor) stop() {
	for _, l := range p.listeners {
		l.mu.Lock()
		l.pending = nil
		l.mu.Unlock()
	}
	for _, l := range p.listeners {
		l.running.Wait()
	}
}

// processorListener is one handler with its own queue, so nobody waits for a
// slow one: what it does not keep up with is paid for in memory.
//
// Differs: a goroutine calls the handler while something is pending; upstream has two for each at all times, pop and run.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go processorListener
type processorListener struct {
	handler      ResourceEventHandler
	resyncPeriod time.Duration
	nextResync   time.Time // guarded by blockDeltas, as is syncing
	syncing      bool      // takes part in the resync of the last tick
	running      sync.WaitGroup

	mu      sync.Mutex // guards what follows
	pending []notification
	busy    bool // a goroutine works off what is pending
}

func (l *processorListener) add(n notification) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, n)
	if !l.busy {
		l.busy = true
		l.running.Go(l.run)
	}
}

// run calls the handler until nothing is pending. A handler that panics ends
// the process, as in 1.7: its cache of the world can no longer be trusted.
func (l *processorListener) run() {
	for n := l.next(); n != nil; n = l.next() {
		n(l.handler)
	}
}

func (l *processorListener) next() notification {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) == 0 {
		l.busy = false
		return nil
	}
	n := l.pending[0]
	l.pending[0] = nil // the array lives on; what n holds need not
	l.pending = l.pending[1:]
	return n
}
