package bboltkv

import (
	"context"
	"errors"
	"log"
	"slices"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
)

// chunk is how many records a transaction forgets or expires at most, so that
// writers never wait long for it.
const chunk = 500

// Compact is part of kv.Store.
func (s *Store) Compact(ctx context.Context, rev int64) error {
	if rev > s.revision.Load() {
		return kv.ErrFuture
	}
	for { // from now on nobody reads from below
		old := s.compacted.Load()
		if rev <= old {
			return nil
		}
		if s.compacted.CompareAndSwap(old, rev) {
			break
		}
	}
	for {
		left, err := s.submit(ctx, func(b *batch) (int64, error) { return b.compact(rev) })
		if err != nil || left == 0 {
			return err
		}
	}
}

// compact looks at the next few records up to rev and forgets the value that
// each of them replaced; deletions it forgets themselves. What a key holds at rev
// has no successor up to rev, and so stays. It returns 0 when it is through.
func (b *batch) compact(rev int64) (left int64, err error) {
	meta := b.tx.Bucket(metaBucket)
	from, upTo := revisionOf(meta.Get(scannedKey)), max(rev, revisionOf(meta.Get(compactedKey)))
	type version struct {
		key string
		rev int64
	}
	var old []version
	c, n := b.tx.Bucket(logBucket).Cursor(), 0
	for k, v := c.Seek(revisionKey(from + 1)); k != nil && revisionOf(k) <= rev; k, v = c.Next() {
		if n++; n > chunk {
			left = rev - from
			break
		}
		from = revisionOf(k)
		r, err := decodeRecord(v)
		if err != nil {
			return 0, err
		}
		if r.prev > 0 {
			old = append(old, version{r.key, r.prev})
		}
		if r.deleted {
			old = append(old, version{r.key, from})
		}
	}
	for _, o := range old {
		err = errors.Join(err, b.tx.Bucket(logBucket).Delete(revisionKey(o.rev)),
			b.tx.Bucket(indexBucket).Delete(indexKey(o.key, o.rev)))
	}
	return left, errors.Join(err, meta.Put(compactedKey, revisionKey(upTo)), meta.Put(scannedKey, revisionKey(from)))
}

// mark is a point in history: at this time the store was at this revision, and
// so many bytes had been written.
type mark struct {
	at           time.Time
	rev, written int64
}

// historyStep is how exactly HistoryBytes is kept.
func (s *Store) historyStep() int64 { return s.options.HistoryBytes/8 + 1 }

// compactLoop keeps history within its bounds, to an eighth of them.
func (s *Store) compactLoop() {
	tick := time.NewTicker(s.options.HistoryAge/8 + 1)
	defer tick.Stop()
	marks, err := s.oldMarks()
	for {
		if err != nil && !errors.Is(err, kv.ErrClosed) {
			log.Printf("%s: forgetting history: %v", s.options.Path, err)
		}
		select {
		case <-s.closing:
			return
		case <-tick.C:
		case <-s.grown:
		}
		now := mark{time.Now(), s.revision.Load(), s.written.Load()}
		keep := slices.IndexFunc(marks, func(m mark) bool {
			return now.at.Sub(m.at) < s.options.HistoryAge && now.written-m.written < s.options.HistoryBytes
		})
		if keep < 0 {
			keep = len(marks)
		}
		err = nil
		if keep > 0 {
			err = s.Compact(context.Background(), marks[keep-1].rev)
		}
		marks = append(marks[keep:], now)
	}
}

// oldMarks are those for what is in the file at the start. It counts as new: a
// restart is when clients come back and ask for what they missed.
func (s *Store) oldMarks() ([]mark, error) {
	start, bytes := time.Now(), int64(0)
	marks := []mark{}
	err := s.view(func(tx *bbolt.Tx) error {
		c := tx.Bucket(logBucket).Cursor()
		for k, v := c.Seek(revisionKey(s.compacted.Load() + 1)); k != nil; k, v = c.Next() {
			if bytes += int64(len(v)); bytes >= int64(len(marks)+1)*s.historyStep() {
				marks = append(marks, mark{start, revisionOf(k), bytes})
			}
		}
		return nil
	})
	for i := range marks { // s.written counts from the start on
		marks[i].written -= bytes
	}
	return append(marks, mark{start, s.revision.Load(), s.written.Load()}), err
}
