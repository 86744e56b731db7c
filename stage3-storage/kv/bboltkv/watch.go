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
	tailEvents = 2048 // kept in memory for watchers that keep up
	readChunk  = 256  // log records read in one transaction by those that do not
)

// tail is the newest part of the log, in memory.
type tail struct {
	mu      sync.Mutex // guards what follows
	events  []kv.Event
	oldest  int64 // every event after this revision is in events
	ended   error
	changed chan struct{} // closed and replaced when anything above changes
}

func (t *tail) add(events []kv.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events = append(t.events, events...)
	if n := len(t.events) - tailEvents; n > tailEvents {
		t.oldest = t.events[n-1].KV.Revision
		t.events = slices.Clone(t.events[n:])
	}
	t.wake()
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

// after returns what is behind rev and a channel that is closed when there is
// more; ok is false where the tail does not reach back to rev.
func (t *tail) after(rev int64) (events []kv.Event, changed <-chan struct{}, ended error, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := sort.Search(len(t.events), func(i int) bool { return t.events[i].KV.Revision > rev })
	return t.events[i:len(t.events):len(t.events)], t.changed, t.ended, rev >= t.oldest
}

// Watch is part of kv.Store. No lock and no transaction is held while an event
// is in the hands of the caller.
func (s *Store) Watch(ctx context.Context, start, end string, rev int64) iter.Seq2[kv.Event, error] {
	return func(yield func(kv.Event, error) bool) {
		for ctx.Err() == nil {
			events, changed, ended, ok := s.tail.after(rev)
			if !ok || rev < s.compacted.Load() {
				var err error
				if events, err = s.history(rev); err != nil {
					yield(kv.Event{}, err)
					return
				}
			}
			for _, ev := range events {
				rev = ev.KV.Revision
				if k := ev.KV.Key; k >= start && k < end && !yield(ev, nil) {
					return
				}
			}
			if len(events) > 0 {
				continue
			}
			if ended != nil {
				yield(kv.Event{}, ended)
				return
			}
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
		yield(kv.Event{}, ctx.Err())
	}
}

// history reads the next few events after rev from disk.
func (s *Store) history(rev int64) (events []kv.Event, err error) {
	err = s.view(func(tx *bbolt.Tx) error {
		if rev < s.compacted.Load() {
			return kv.ErrCompacted
		}
		c := tx.Bucket(logBucket).Cursor()
		for k, v := c.Seek(revisionKey(rev + 1)); k != nil && len(events) < readChunk; k, v = c.Next() {
			r, err := decodeRecord(v)
			if err != nil {
				return err
			}
			ev := kv.Event{Deleted: r.deleted, KV: kv.KV{Key: r.key, Value: r.value, Revision: revisionOf(k)}}
			if r.prev > 0 {
				prev, err := readRecord(tx, r.prev)
				if err != nil {
					return err
				}
				if !prev.deleted {
					ev.Prev = &kv.KV{Key: r.key, Value: prev.value, Revision: r.prev}
				}
			}
			events = append(events, ev)
		}
		return nil
	})
	return events, err
}
