package cacher

import (
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/storage"
)

func TestTheLogGrowsWithTheLoadAndShrinksAfterIt(t *testing.T) {
	var l changes
	now, old := time.Now(), object.NewEncoded(make([]byte, 10_000), 1)
	for rev := int64(1); rev <= 2000; rev++ {
		l.add(storage.Event{Type: storage.Modified, Revision: rev, Prev: old}, now)
		l.trim(now)
	}
	kept := len(l.events)
	if bytes := kept * 10_000; bytes > maxBytes || bytes < maxBytes*9/10 || l.oldest != int64(2000-kept) {
		t.Errorf("after a burst the log keeps %d changes with %d bytes since revision %d; it may have %d bytes", kept, bytes, l.oldest, maxBytes)
	}
	l.add(storage.Event{Type: storage.Added, Revision: 2001}, now.Add(keepFor/2))
	l.trim(now.Add(keepFor))
	if len(l.events) != 1 || l.oldest != 2000 || cap(l.events) > 2*chunk {
		t.Errorf("when the burst is over, the one change that is younger than %v stays; got %d since revision %d in a space for %d", keepFor, len(l.events), l.oldest, cap(l.events))
	}
	if got := l.since(2000, all); len(got) != 1 || got[0].Revision != 2001 {
		t.Errorf("since revision 2000 there is the change of 2001, got %v", got)
	}
}
