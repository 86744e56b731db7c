package cacher

import (
	"slices"
	"sort"
	"time"

	"example.com/kube-apiserver/stage3-storage/storage"
)

// What a log remembers grows with the load up to maxBytes, and shrinks again when
// that is over. A watcher that comes back later finds the rest in the store's history.
const (
	keepFor  = 75 * time.Second // as upstream's
	maxBytes = 8 << 20
	chunk    = 256     // changes that a watcher takes at once
	all      = 1 << 60 // changes at once, where somebody needs every one
)

// changes is the newest part of what happened to a resource.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/watch_cache.go watchCache
type changes struct {
	events []storage.Event // in the order of revisions
	times  []time.Time     // when each came
	oldest int64           // every change after this revision is in events
	bytes  int             // of what only this log holds
}

func (l *changes) add(ev storage.Event, now time.Time) {
	l.events, l.times = append(l.events, ev), append(l.times, now)
	l.bytes += size(ev)
}

// trim forgets the oldest changes where they are too many or too old.
func (l *changes) trim(now time.Time) {
	n := 0
	for ; n < len(l.events) && (l.bytes > maxBytes || now.Sub(l.times[n]) >= keepFor); n++ {
		l.bytes -= size(l.events[n])
		l.oldest = max(l.oldest, l.events[n].Revision)
	}
	clear(l.events[:n]) // the array lives on for a while, the objects need not
	l.events, l.times = l.events[n:], l.times[n:]
	if cap(l.events) > 4*len(l.events)+chunk {
		l.events, l.times = slices.Clone(l.events), slices.Clone(l.times)
	}
}

// size is about what an event takes in memory beside the object that is still
// in the cache.
func size(ev storage.Event) int {
	const itself = 200
	if ev.Prev == nil {
		return itself
	}
	return itself + len(ev.Prev.JSON())
}

// since copies the first changes behind a revision, at most so many.
func (l *changes) since(rev int64, most int) []storage.Event {
	i := sort.Search(len(l.events), func(i int) bool { return l.events[i].Revision > rev })
	return slices.Clone(l.events[i:min(i+most, len(l.events))])
}
