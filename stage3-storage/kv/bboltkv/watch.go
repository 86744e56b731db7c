package bboltkv

import (
	"cmp"
	"context"
	"iter"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
)

// watchChunk is how many records a watcher reads in one transaction.
const watchChunk = 256

// Watch is part of kv.Store. It reads the log, and when that is through, waits
// for more. While the caller has an event, no lock and no transaction is held: a
// slow watcher delays nobody. Who wants the newest from memory listens instead.
func (s *Store) Watch(ctx context.Context, start, end string, rev int64) iter.Seq2[kv.Event, error] {
	return func(yield func(kv.Event, error) bool) {
		for at := rev; ; {
			news := *s.news.Load() // before the log is read: what comes after that wakes us
			events, upTo, err := s.history(kv.Range{Start: start, End: end, Revision: at})
			for _, ev := range events {
				if ctx.Err() != nil {
					break
				}
				if !yield(ev, nil) {
					return
				}
				at = ev.KV.Revision
			}
			switch {
			case err != nil || ctx.Err() != nil:
			case upTo > at: // only others' changes are behind the last event
				if !yield(kv.Event{KV: kv.KV{Revision: upTo}}, nil) {
					return
				}
			case len(events) == 0:
				select {
				case <-news:
				case <-s.closing:
					err = kv.ErrClosed
				case <-ctx.Done():
				}
			}
			if err = cmp.Or(ctx.Err(), err); err != nil {
				yield(kv.Event{}, err)
				return
			}
			at = upTo
		}
	}
}

// history reads the next records behind the range's revision, and says up to
// where it has come.
func (s *Store) history(r kv.Range) (events []kv.Event, upTo int64, err error) {
	published := s.revision.Load()
	upTo = r.Revision
	err = s.view(func(tx *bbolt.Tx) error {
		if r.Revision < s.compacted.Load() {
			return kv.ErrCompacted
		}
		c := tx.Bucket(logBucket).Cursor()
		k, v := c.Seek(revisionKey(r.Revision + 1))
		for n := 0; k != nil && revisionOf(k) <= published && n < watchChunk; n++ {
			upTo = revisionOf(k)
			ev, err := event(tx, upTo, v)
			if err != nil {
				return err
			}
			if ev.KV.Key >= r.Start && ev.KV.Key < r.End {
				events = append(events, ev)
			}
			k, v = c.Next()
		}
		return nil
	})
	return events, upTo, err
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
