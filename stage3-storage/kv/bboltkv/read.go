package bboltkv

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
)

// snapshot calls f with a transaction that has everything up to a revision, 0
// for the newest one. What is in the file but not yet published is not read: no
// reader knows of a revision that Revision does not know.
func (s *Store) snapshot(rev int64, f func(tx *bbolt.Tx, at int64) error) error {
	for {
		at := s.revision.Load() // before the transaction begins, so that it has at least that much
		if rev > at {
			return kv.ErrFuture
		}
		if rev != 0 {
			at = rev
		}
		err := s.view(func(tx *bbolt.Tx) error {
			if at < s.compacted.Load() { // after it has begun: whoever forgets something says so first
				return kv.ErrCompacted
			}
			return f(tx, at)
		})
		if rev != 0 || !errors.Is(err, kv.ErrCompacted) {
			return err
		}
	}
}

// Get is part of kv.Store.
func (s *Store) Get(_ context.Context, key string) (got kv.KV, err error) {
	err = s.snapshot(0, func(tx *bbolt.Tx, at int64) error {
		rev, r, err := newest(tx, key, at)
		if err == nil && (rev == 0 || r.deleted) {
			err = kv.ErrNotFound
		}
		got = kv.KV{Key: key, Value: r.value, Revision: rev}
		return err
	})
	return got, err
}

// newest is the last write of a key up to a revision; there is none where its
// revision is 0.
func newest(tx *bbolt.Tx, key string, at int64) (int64, record, error) {
	c := tx.Bucket(indexBucket).Cursor()
	behind := indexKey(key, at+1)
	k, _ := c.Seek(behind)
	if k == nil {
		k, _ = c.Last()
	} else {
		k, _ = c.Prev()
	}
	own := behind[:len(key)+1]
	if !bytes.HasPrefix(k, own) || len(k) != len(behind) { // of "a\x00", which is nowhere, the entries of "a" have the prefix too
		return 0, record{}, nil
	}
	rev := revisionOf(k[len(own):])
	r, err := readRecord(tx, rev)
	return rev, r, err
}

func readRecord(tx *bbolt.Tx, rev int64) (record, error) {
	r, err := decodeRecord(tx.Bucket(logBucket).Get(revisionKey(rev)))
	if err != nil {
		err = fmt.Errorf("record of revision %d: %w", rev, err)
	}
	return r, err
}

// Range is part of kv.Store.
func (s *Store) Range(_ context.Context, r kv.Range) (res kv.Result, err error) {
	err = s.snapshot(r.Revision, func(tx *bbolt.Tx, at int64) error {
		res = kv.Result{Revision: at}
		return collect(tx, r, &res)
	})
	return res, err
}

// collect walks the index once: of each key, the last write up to the revision
// counts. Keys behind the limit are counted without reading the log.
func collect(tx *bbolt.Tx, r kv.Range, res *kv.Result) error {
	var key string
	var found int64 // the key's revision; 0 where it does not exist
	take := func() error {
		switch {
		case found == 0:
			return nil
		case r.Limit > 0 && len(res.KVs) == r.Limit:
			res.More++
			return nil
		}
		rec, err := readRecord(tx, found)
		res.KVs = append(res.KVs, kv.KV{Key: key, Value: rec.value, Revision: found})
		return err
	}
	c := tx.Bucket(indexBucket).Cursor()
	for at, flags := c.Seek([]byte(r.Start)); at != nil; at, flags = c.Next() {
		k, rev, err := splitIndexKey(at)
		switch {
		case err != nil:
			return err
		case k >= r.End:
			return take()
		case k < r.Start: // a page that starts at the key "a\x00" begins behind a
			continue
		case k != key:
			if err := take(); err != nil {
				return err
			}
			key, found = k, 0
		}
		if rev <= res.Revision {
			found = rev
			if len(flags) > 0 {
				found = 0
			}
		}
	}
	return take()
}
