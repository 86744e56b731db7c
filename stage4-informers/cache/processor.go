package cache

import (
	"sync"
	"time"
)

// notification is one call of a handler that is still to be made.
type notification func(ResourceEventHandler)

// sharedProcessor hands every notification to the listeners.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go sharedProcessor
type sharedProcessor struct {
	running sync.WaitGroup

	mu        sync.RWMutex // guards what follows
	started   bool
	stopped   bool
	listeners []*processorListener
}

// addListener adds a listener. One that comes after the stop hears nothing.
func (p *sharedProcessor) addListener(l *processorListener) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.listeners = append(p.listeners, l)
	if p.started {
		p.running.Go(l.run)
	}
}

func (p *sharedProcessor) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started = true
	for _, l := range p.listeners {
		p.running.Go(l.run)
	}
}

// stop returns when no handler is being called any more.
func (p *sharedProcessor) stop() {
	p.mu.Lock()
	p.stopped = true
	for _, l := range p.listeners {
		l.stop()
	}
	p.mu.Unlock()
	p.running.Wait()
}

// distribute queues n with every listener; what comes of a resync, only with
// those whose turn it is.
func (p *sharedProcessor) distribute(n notification, isSync bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, l := range p.listeners {
		if l.syncing || !isSync {
			l.add(n)
		}
	}
}

// shouldResync finds out whose turn it is, and whether it is anybody's.
func (p *sharedProcessor) shouldResync() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, due := time.Now(), false
	for _, l := range p.listeners {
		l.syncing = l.resyncPeriod > 0 && !now.Before(l.nextResync)
		if l.syncing {
			l.nextResync = now.Add(l.resyncPeriod)
			due = true
		}
	}
	return due
}

// processorListener is one handler with its own queue and its own goroutine:
// nobody waits for a slow handler. Its queue has no bound, so what a handler
// does not keep up with is paid for in memory.
//
// Differs: upstream has two goroutines for each handler, pop and run, with a channel between them.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go processorListener
type processorListener struct {
	handler      ResourceEventHandler
	resyncPeriod time.Duration

	nextResync time.Time // guarded by the processor's mu
	syncing    bool      // as well

	mu      sync.Mutex // guards what follows
	wake    sync.Cond  // a notification came, or the stop
	pending []notification
	stopped bool
}

func newProcessorListener(h ResourceEventHandler, resyncPeriod time.Duration) *processorListener {
	l := &processorListener{handler: h, resyncPeriod: resyncPeriod, nextResync: time.Now().Add(resyncPeriod)}
	l.wake.L = &l.mu
	return l
}

func (l *processorListener) add(n notification) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, n)
	l.wake.Signal()
}

// run calls the handler until the stop. A handler that panics ends the
// process: its cache of the world can no longer be trusted. 1.7 does the same.
func (l *processorListener) run() {
	for n := l.next(); n != nil; n = l.next() {
		n(l.handler)
	}
}

// next waits for the next notification; nil is the stop.
func (l *processorListener) next() notification {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.pending) == 0 && !l.stopped {
		l.wake.Wait()
	}
	if l.stopped {
		return nil
	}
	n := l.pending[0]
	l.pending[0] = nil // the array lives on; what n holds need not
	l.pending = l.pending[1:]
	return n
}

// stop ends run. What is still pending is lost.
func (l *processorListener) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
	l.wake.Signal()
}
