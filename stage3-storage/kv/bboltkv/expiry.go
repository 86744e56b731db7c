package bboltkv

import (
	"context"
	"errors"
	"log"
	"math"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
)

// expireLoop deletes what has lived its time. It sleeps until the next key
// expires, however long that is; the times are in the file, so they outlive a restart.
func (s *Store) expireLoop() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-s.closing:
			return
		case <-s.expiring:
		case <-timer.C:
		}
		wait, err := s.nextExpiry()
		for err == nil && wait <= 0 {
			if _, err = s.submit(context.Background(), deleteExpired); err == nil {
				wait, err = s.nextExpiry()
			}
		}
		if err != nil && !errors.Is(err, kv.ErrClosed) {
			log.Printf("%s: deleting expired keys: %v", s.options.Path, err)
			wait = time.Minute
		}
		timer.Reset(wait)
	}
}

// nextExpiry is how long it takes until a key expires.
func (s *Store) nextExpiry() (wait time.Duration, err error) {
	wait = math.MaxInt64
	err = s.view(func(tx *bbolt.Tx) error {
		if first, _ := tx.Bucket(expiryBucket).Cursor().First(); first != nil {
			wait = time.Until(time.UnixMilli(revisionOf(first)))
		}
		return nil
	})
	return wait, err
}

// deleteExpired deletes some of the keys whose time has come. They are
// ordinary writes: they have revisions and watchers hear of them.
func deleteExpired(b *batch) (int64, error) {
	c, now := b.tx.Bucket(expiryBucket).Cursor(), time.Now().UnixMilli()
	var due []int64
	for k, _ := c.First(); k != nil && revisionOf(k) <= now && len(due) < chunk; k, _ = c.Next() {
		due = append(due, revisionOf(k[8:]))
	}
	for _, rev := range due {
		r, err := readRecord(b.tx, rev)
		if err == nil {
			_, err = b.write(kv.Write{Key: r.key, Delete: true, IfRev: rev})
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, nil
}
