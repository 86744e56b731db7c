package bboltkv

import (
	"context"
	"iter"
	"slices"
	"sort"
	"sync"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
)

const (
	tailBytes  = 8 << 20 // kept in memory, so that watchers that keep up touch no disk
	watchChunk = 256     // events that a watcher takes at once, from memory or disk
)

// tail is the newest part of the log, in memory.
type tail struct {
	mu      sync.Mutex // guards what follows
	events  []kv.Event
	oldest  int64 // every event after this revision is in events
	bytes   int   // of events
	limit   int   // for bytes
	ended   error
	changed chan struct{} // closed and replaced when anything above changes
}

func (t *tail) add(events []kv.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, ev := range events {
		t.events = append(t.events, ev)
		t.bytes += size(ev)
	}
	for t.bytes > t.limit {
		t.oldest = t.events[0].KV.Revision
		t.bytes -= size(t.events[0])
		t.events[0] = kv.Event{} // the array may live on for a while, its values need not
		t.events = t.events[1:]
	}
	t.wake()
}

// size is about what an event takes in memory.
func size(ev kv.Event) int {
	n := 200 + len(ev.KV.Key) + len(ev.KV.Value)
	if ev.Prev != nil {
		n += len(ev.Prev.Value)
	}
	return n
}

func (t *tail) end(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = err
	t.wake()
}

func (t *tail) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// after copies the next events behind rev and returns a channel that is closed
// when there are more; ok is false where the tail does not reach back to rev.
func (t *tail) after(rev int64) (events []kv.Event, changed <-chan struct{}, ended error, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := sort.Search(len(t.events), func(i int) bool { return t.events[i].KV.Revision > rev })
	events = slices.Clone(t.events[i:min(i+watchChunk, len(t.events))])
	return events, t.changed, t.ended, rev >= t.oldest
}

// Watch is part of kv.Store. While the caller has an event, no lock and no
// transaction is held: a slow watcher delays nobody.
func (s *Store) Watch(ctx context.Context, start, end string, rev int64) iter.Seq2[kv.Event, error] {
	return func(yield func(kv.Event, error) bool) {
		for at := rev; ctx.Err() == nil; {
			events, changed, ended, ok := s.tail.after(at)
			if !ok || at < s.compacted.Load() {
				var err error
				if events, err = s.history(at); err != nil {
					yield(kv.Event{}, err)
					return
				}
			}
			for _, ev := range events {
				at = ev.KV.Revision
				if ev.KV.Key < start || ev.KV.Key >= end {
					continue
				}
				if ctx.Err() != nil {
					break
				}
				if !yield(ev, nil) {
					return
				}
			}
			switch {
			case len(events) > 0:
			case ended != nil:
				yield(kv.Event{}, ended)
				return
			default:
				select {
				case <-changed:
				case <-ctx.Done():
				}
			}
		}
		yield(kv.Event{}, ctx.Err())
	}
}

// history reads the next few events behind rev from disk.
func (s *Store) history(rev int64) (events []kv.Event, err error) {
	published := s.revision.Load()
	err = s.view(func(tx *bbolt.Tx) error {
		if rev < s.compacted.Load() {
			return kv.ErrCompacted
		}
		c := tx.Bucket(logBucket).Cursor()
		for k, v := c.Seek(revisionKey(rev + 1)); k != nil && len(events) < watchChunk; k, v = c.Next() {
			if revisionOf(k) > published {
				break
			}
			ev, err := event(tx, revisionOf(k), v)
			if err != nil {
				return err
			}
			events = append(events, ev)
		}
		return nil
	})
	return events, err
}

func event(tx *bbolt.Tx, rev int64, b []byte) (kv.Event, error) {
	r, err := decodeRecord(b)
	if err != nil {
		return kv.Event{}, err
	}
	ev := kv.Event{Deleted: r.deleted, KV: kv.KV{Key: r.key, Value: r.value, Revision: rev}}
	if r.prev == 0 {
		return ev, nil
	}
	prev, err := readRecord(tx, r.prev)
	ev.Prev = &kv.KV{Key: r.key, Value: prev.value, Revision: r.prev}
	return ev, err
}
