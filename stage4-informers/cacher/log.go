package cacher

import (
	"slices"
	"sort"

	"example.com/kube-apiserver/stage3-storage/storage"
)

// What a log remembers is bounded by its bytes. A watcher that comes back later
// finds the rest in the store's history.
const (
	maxBytes = 8 << 20
	chunk    = 256 // changes that a watcher takes at once
	all      = 1 << 60
)

// changes is the newest part of what happened to a resource.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/watch_cache.go watchCache
type changes struct {
	events []storage.Event // in the order of revisions
	oldest int64           // every change after this revision is in events
	bytes  int             // of what only this log holds
}

func (l *changes) add(ev storage.Event) {
	l.events = append(l.events, ev)
	l.bytes += size(ev)
}

// trim forgets the oldest changes where there are too many.
func (l *changes) trim() {
	n := 0
	for ; l.bytes > maxBytes; n++ {
		l.bytes -= size(l.events[n])
		l.oldest = max(l.oldest, l.events[n].Revision)
	}
	clear(l.events[:n]) // the array lives on for a while, the objects need not
	l.events = l.events[n:]
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
