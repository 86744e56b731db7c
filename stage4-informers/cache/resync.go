package cache

import (
	"context"
	"log"
	"time"
)

// resync shows the handlers the cache once more every resyncCheckPeriod, until
// ctx ends.
//
// Differs: upstream's timer belongs to the Reflector, though the server has nothing to do with it.
func (s *sharedIndexInformer) resync(ctx context.Context) {
	for s.resyncCheckPeriod > 0 && sleep(ctx, s.resyncCheckPeriod) {
		if s.shouldResync() {
			s.queue.Resync()
		}
	}
}

// shouldResync finds out which handlers are due for a resync, and whether any is.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go shouldResync
func (s *sharedIndexInformer) shouldResync() (due bool) {
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	now := time.Now()
	for _, l := range s.processor.listeners {
		l.syncing = l.resyncPeriod > 0 && !now.Before(l.nextResync)
		if l.syncing {
			l.nextResync = now.Add(l.resyncPeriod)
			due = true
		}
	}
	return due
}

// minimumResyncPeriod keeps a handler from spending its time on repetition.
const minimumResyncPeriod = time.Second

// grantResyncPeriod turns the period that a handler asks for into the one that
// it gets. Before the start it can still make the informer's timer faster. A
// period longer than the timer's is served at the first tick that is not too early.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go determineResyncPeriod
func (s *sharedIndexInformer) grantResyncPeriod(asked time.Duration) time.Duration {
	granted := max(asked, minimumResyncPeriod)
	switch {
	case asked <= 0:
		return 0
	case s.resyncCheckPeriod == 0:
		granted = 0
	case s.started:
		granted = max(granted, s.resyncCheckPeriod)
	default:
		s.resyncCheckPeriod = min(granted, s.resyncCheckPeriod)
	}
	if granted != asked {
		log.Printf("informer of %s: a handler asks for a resync every %v: it gets one every %v (0s is never)", s.name, asked, granted)
	}
	return granted
}
