package cacher

import (
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/storage"
)

func TestTheLogForgetsTheOldestWhereItIsFull(t *testing.T) {
	var l changes
	old := object.NewEncoded(make([]byte, 10_000), 1)
	for rev := int64(1); rev <= 2000; rev++ {
		l.add(storage.Event{Type: storage.Modified, Revision: rev, Prev: old})
		l.trim()
	}
	kept := len(l.events)
	if bytes := kept * 10_000; bytes > maxBytes || bytes < maxBytes*9/10 || l.oldest != int64(2000-kept) {
		t.Errorf("the log keeps %d changes with %d bytes since revision %d; it may have %d bytes", kept, bytes, l.oldest, maxBytes)
	}
	if got := l.since(1998, all); len(got) != 2 || got[0].Revision != 1999 {
		t.Errorf("since revision 1998 there are the changes of 1999 and 2000, got %v", got)
	}
	if got := l.since(0, 3); len(got) != 3 || got[0].Revision != l.oldest+1 {
		t.Errorf("the first three that are kept begin after revision %d, got %v", l.oldest, got)
	}
}
