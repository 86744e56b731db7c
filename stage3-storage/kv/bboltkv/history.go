package bboltkv

import (
	"context"
	"errors"
	"log"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
)

// compactChunk is how many records one transaction looks at, so that writers
// never wait long for it.
const compactChunk = 500

var scannedKey = []byte("scanned") // in meta: up to where compaction has looked

// Compact is part of kv.Store.
func (s *Store) Compact(ctx context.Context, rev int64) error {
	if rev > s.revision.Load() {
		return kv.ErrFuture
	}
	for {
		old := s.compacted.Load()
		if rev <= old {
			return nil
		}
		if s.compacted.CompareAndSwap(old, rev) { // from now on nobody reads below
			break
		}
	}
	for {
		_, err := s.submit(ctx, &pending{compact: rev, done: make(chan outcome, 1)})
		if !errors.Is(err, errMore) {
			return err
		}
	}
}

// errMore: the chunk is done, and there is more to forget.
var errMore = errors.New("more")

// compactSome forgets what has a successor at or before rev, and tombstones up
// to rev. What a key holds at rev stays readable.
func compactSome(tx *bbolt.Tx, rev int64) (more bool, err error) {
	meta, records, index := tx.Bucket(metaBucket), tx.Bucket(logBucket), tx.Bucket(indexBucket)
	var from int64
	if b := meta.Get(scannedKey); b != nil {
		from = revisionOf(b)
	}
	// The first chunk says that history is gone, before any of it is.
	if err := meta.Put(compactedKey, revisionKey(max(rev, revisionOf(meta.Get(compactedKey))))); err != nil {
		return false, err
	}
	type victim struct {
		key string
		rev int64
	}
	var victims []victim
	c, n := records.Cursor(), 0
	for k, v := c.Seek(revisionKey(from + 1)); k != nil && revisionOf(k) <= rev; k, v = c.Next() {
		if n++; n > compactChunk {
			more = true
			break
		}
		from = revisionOf(k)
		r, err := decodeRecord(v)
		if err != nil {
			return false, err
		}
		if r.prev > 0 {
			victims = append(victims, victim{r.key, r.prev})
		}
		if r.deleted {
			victims = append(victims, victim{r.key, from})
		}
	}
	for _, v := range victims {
		err = errors.Join(err, records.Delete(revisionKey(v.rev)), index.Delete(indexKey(v.key, v.rev)))
	}
	return more, errors.Join(err, meta.Put(scannedKey, revisionKey(from)))
}

// mark is a point in history.
type mark struct {
	at           time.Time
	rev, written int64
}

// count wakes the compactor when an eighth of the allowed history is new.
func (s *Store) count(events []kv.Event) {
	n := int64(0)
	for _, ev := range events {
		n += int64(len(ev.KV.Key) + len(ev.KV.Value))
	}
	step := s.options.HistoryBytes/8 + 1
	if after := s.written.Add(n); after/step != (after-n)/step {
		select {
		case s.grown <- struct{}{}:
		default: // it is awake already
		}
	}
}

// compactLoop keeps history within its bounds. History from before the start
// counts as made at the start.
func (s *Store) compactLoop() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tick := time.NewTicker(max(s.options.HistoryAge/5, time.Millisecond))
	defer tick.Stop()
	marks := []mark{{time.Now(), s.revision.Load(), 0}}
	for {
		select {
		case <-s.closing:
			return
		case <-tick.C:
		case <-s.grown:
		}
		now := mark{time.Now(), s.revision.Load(), s.written.Load()}
		marks = append(marks, now)
		last := -1
		for i, m := range marks[:len(marks)-1] {
			if now.at.Sub(m.at) >= s.options.HistoryAge || now.written-m.written >= s.options.HistoryBytes {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		rev := marks[last].rev
		marks = marks[last+1:]
		if err := s.Compact(ctx, rev); err != nil && !errors.Is(err, kv.ErrClosed) {
			log.Printf("%s: forgetting history before revision %d: %v", s.options.Path, rev, err)
		}
	}
}
