package bboltkv

import (
	"context"
	"encoding/binary"
	"errors"
	"log"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
)

// expiryKey orders the bucket by time.
func expiryKey(expires, rev int64) []byte {
	return binary.BigEndian.AppendUint64(revisionKey(expires), uint64(rev))
}

// expiresAt wakes the expirer if its next appointment has become sooner.
func (s *Store) expiresAt(expires int64) {
	if next := s.soonest.Load(); next != 0 && next <= expires {
		return
	}
	s.soonest.Store(expires) // only the committer calls this
	select {
	case s.expire <- struct{}{}:
	default: // it will wake and look anyway
	}
}

// expireLoop deletes what has lived its time. It sleeps until the next key
// expires, however long that is.
func (s *Store) expireLoop() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-s.closing:
			return
		case <-s.expire:
		case <-timer.C:
			if err := s.deleteExpired(); err != nil && !errors.Is(err, kv.ErrClosed) {
				log.Printf("%s: deleting expired keys: %v", s.options.Path, err)
			}
		}
		wait := 24 * time.Hour
		if next := s.soonest.Load(); next > 0 {
			wait = max(time.Until(time.Unix(next, 0)), 0)
		}
		timer.Reset(wait)
	}
}

// deleteExpired deletes through the normal write path, so that watchers hear
// of it; a key that was written again meanwhile stays.
func (s *Store) deleteExpired() error {
	for {
		var due []kv.KV
		next := int64(0)
		err := s.view(func(tx *bbolt.Tx) error {
			c := tx.Bucket(expiryBucket).Cursor()
			for k, _ := c.First(); k != nil && len(due) < compactChunk; k, _ = c.Next() {
				if next = revisionOf(k[:8]); next > time.Now().Unix() {
					return nil
				}
				rev := revisionOf(k[8:])
				r, err := readRecord(tx, rev)
				if err != nil {
					return err
				}
				due = append(due, kv.KV{Key: r.key, Revision: rev})
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(due) == 0 {
			s.soonest.CompareAndSwap(s.soonest.Load(), next)
			return nil
		}
		for _, d := range due {
			if _, err := s.Write(context.Background(), kv.Write{Key: d.Key, Delete: true, IfRev: d.Revision}); err != nil && !expected(err) {
				return err
			}
		}
	}
}
