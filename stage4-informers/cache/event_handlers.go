package cache

import (
	"log"
	"time"
)

// minimumResyncPeriod keeps a handler from spending its time on repetition.
const minimumResyncPeriod = time.Second

// AddEventHandler is part of SharedInformer.
func (s *sharedIndexInformer) AddEventHandler(handler ResourceEventHandler) {
	s.AddEventHandlerWithResyncPeriod(handler, s.defaultResyncPeriod)
}

// AddEventHandlerWithResyncPeriod is part of SharedInformer. A handler that
// comes when the informer runs already hears of every cached object first.
func (s *sharedIndexInformer) AddEventHandlerWithResyncPeriod(handler ResourceEventHandler, resyncPeriod time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	l := newProcessorListener(handler, s.grantResyncPeriod(resyncPeriod))
	for _, obj := range s.indexer.List() { // empty before Run
		l.add(added(obj))
	}
	s.processor.addListener(l)
}

// grantResyncPeriod turns the period that a handler asks for into the one that it gets.
//
// Before the start the Reflector's timer can still be made to tick as often as
// the most impatient handler wants; afterwards its period is fixed. A longer
// period than the timer's is kept: such a handler is served at the first tick
// that is not too early.
//
// Simplified: upstream computes every handler's period anew when the timer's changes. It only ever becomes shorter, and no handler asked for less than it was, so the result is always what it was before.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go determineResyncPeriod
func (s *sharedIndexInformer) grantResyncPeriod(asked time.Duration) time.Duration {
	if asked <= 0 {
		return 0
	}
	if s.resyncCheckPeriod == 0 {
		log.Printf("informer of %s: a handler asks for a resync every %v, but the informer was made without resync: it gets none", s.name, asked)
		return 0
	}
	granted := max(asked, minimumResyncPeriod)
	if started := s.controller != nil; started {
		granted = max(granted, s.resyncCheckPeriod)
	}
	if granted != asked {
		log.Printf("informer of %s: a handler asks for a resync every %v: it gets one every %v", s.name, asked, granted)
	}
	s.resyncCheckPeriod = min(s.resyncCheckPeriod, granted)
	return granted
}

// syncedPollPeriod is how often WaitForCacheSync looks.
const syncedPollPeriod = 100 * time.Millisecond

// WaitForCacheSync waits until all of hasSynced are true. It returns false
// when stopCh is closed before.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go WaitForCacheSync
func WaitForCacheSync(stopCh <-chan struct{}, hasSynced ...func() bool) bool {
	tick := time.NewTicker(syncedPollPeriod)
	defer tick.Stop()
	for _, synced := range hasSynced {
		for !synced() {
			select {
			case <-tick.C:
			case <-stopCh:
				return false
			}
		}
	}
	return true
}
