package bboltkv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

var (
	logBucket    = []byte("log")
	indexBucket  = []byte("index")
	expiryBucket = []byte("expiry") // expiry time, revision → nothing
	metaBucket   = []byte("meta")

	formatKey    = []byte("format")
	compactedKey = []byte("compacted")
	format       = []byte("kube-apiserver stages 1")
)

// Options say where the file is and how much history it keeps.
type Options struct {
	Path         string
	LockTimeout  time.Duration    // how long to wait for another process; 0 is 3 seconds
	HistoryAge   time.Duration    // 0 keeps 5 minutes
	HistoryBytes int64            // 0 keeps 64 MB
	OnCommit     func([]kv.Event) // called in order, after the fsync and before the writers get their answer; it must not call the store
}

// Store is an open file. It belongs to this process until Close.
type Store struct {
	options Options
	db      *bbolt.DB

	revision  atomic.Int64
	compacted atomic.Int64

	queue   chan *pending
	closing chan struct{} // closed by Close
	once    sync.Once
	workers sync.WaitGroup
	tail    tail
	soonest atomic.Int64  // when the first key expires, in Unix seconds; 0 is never
	expire  chan struct{} // wakes the expirer when soonest has become sooner
	written atomic.Int64  // bytes of all records so far
	grown   chan struct{} // wakes the compactor when there is much new history
}

// Open opens or creates the file. A file that another process has open, that
// is damaged or that is no store is an error and is left as it is.
func Open(ctx context.Context, o Options) (*Store, error) {
	o.LockTimeout = orDefault(o.LockTimeout, 3*time.Second)
	o.HistoryAge = orDefault(o.HistoryAge, 5*time.Minute)
	o.HistoryBytes = orDefault(o.HistoryBytes, 64<<20)
	if err := os.MkdirAll(filepath.Dir(o.Path), 0o755); err != nil {
		return nil, err
	}
	db, err := openFile(o)
	if err != nil {
		return nil, err
	}
	s := &Store{
		options: o, db: db, queue: make(chan *pending), closing: make(chan struct{}),
		expire: make(chan struct{}, 1), grown: make(chan struct{}, 1), tail: tail{changed: make(chan struct{})},
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", o.Path, err), db.Close())
	}
	s.tail.oldest = s.revision.Load()
	s.workers.Go(s.commitLoop)
	s.workers.Go(s.expireLoop)
	s.workers.Go(s.compactLoop)
	return s, ctx.Err()
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// openFile opens the file with bbolt, whose panic over a damaged page becomes an error.
func openFile(o Options) (db *bbolt.DB, err error) {
	defer func() {
		if p := recover(); p != nil {
			db, err = nil, fmt.Errorf("open %s: the file is damaged (%v); it was left as it is", o.Path, p)
		}
	}()
	db, err = bbolt.Open(o.Path, 0o600, &bbolt.Options{Timeout: o.LockTimeout, FreelistType: bbolt.FreelistMapType})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("open %s: in use by another process", o.Path)
	case err != nil:
		return nil, fmt.Errorf("open %s: %w (not a store of this server, or damaged; it was left as it is)", o.Path, err)
	}
	return db, nil
}

// load makes the buckets of a new file, or reads where an old one stands.
func (s *Store) load() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged (%v); it was left as it is", p)
		}
	}()
	isNew := false
	err = s.db.View(func(tx *bbolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		if first, _ := tx.Cursor().First(); first == nil {
			isNew = true
			return nil
		}
		if meta == nil || !bytes.Equal(meta.Get(formatKey), format) {
			return errors.New("a bbolt file, but not one of this server; it was left as it is")
		}
		if last, _ := tx.Bucket(logBucket).Cursor().Last(); last != nil {
			s.revision.Store(revisionOf(last))
		}
		if c := meta.Get(compactedKey); c != nil {
			s.compacted.Store(revisionOf(c))
			s.revision.Store(max(s.revision.Load(), revisionOf(c)))
		}
		if first, _ := tx.Bucket(expiryBucket).Cursor().First(); first != nil {
			s.soonest.Store(revisionOf(first[:8]))
		}
		return nil
	})
	if err != nil || !isNew {
		return err
	}
	s.revision.Store(1) // as etcd: the revision of an empty store
	s.compacted.Store(1)
	return s.db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{logBucket, indexBucket, expiryBucket, metaBucket} {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		meta := tx.Bucket(metaBucket)
		return errors.Join(meta.Put(formatKey, format), meta.Put(compactedKey, revisionKey(1)))
	})
}

// Revision is part of kv.Store. It touches no disk.
func (s *Store) Revision(context.Context) (int64, error) { return s.revision.Load(), nil }

// Get is part of kv.Store.
func (s *Store) Get(_ context.Context, key string) (got kv.KV, err error) {
	err = s.view(func(tx *bbolt.Tx) error {
		rev, r, err := newest(tx, key)
		if err == nil && (rev == 0 || r.deleted) {
			err = kv.ErrNotFound
		}
		got = kv.KV{Key: key, Value: r.value, Revision: rev}
		return err
	})
	return got, err
}

func (s *Store) view(f func(*bbolt.Tx) error) error {
	err := s.db.View(f)
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return kv.ErrClosed
	}
	return err
}

// newest is the last write of a key; its revision is 0 where there is none.
func newest(tx *bbolt.Tx, key string) (int64, record, error) {
	c := tx.Bucket(indexBucket).Cursor()
	last := indexKey(key, 1<<62)
	at, _ := c.Seek(last)
	if at == nil {
		at, _ = c.Last()
	} else {
		at, _ = c.Prev()
	}
	if at == nil || !bytes.HasPrefix(at, last[:len(key)+1]) || len(at) != len(last) {
		return 0, record{}, nil
	}
	rev := revisionOf(at[len(key)+1:])
	r, err := readRecord(tx, rev)
	return rev, r, err
}

func readRecord(tx *bbolt.Tx, rev int64) (record, error) {
	b := tx.Bucket(logBucket).Get(revisionKey(rev))
	if b == nil {
		return record{}, fmt.Errorf("revision %d: %w", rev, errDamaged)
	}
	return decodeRecord(b)
}

// Range is part of kv.Store.
func (s *Store) Range(_ context.Context, r kv.Range) (kv.Result, error) {
	for {
		// Read before the transaction begins, so that it has at least that much.
		newest := s.revision.Load()
		res := kv.Result{Revision: r.Revision}
		if r.Revision == 0 {
			res.Revision = newest
		}
		if res.Revision > newest {
			return kv.Result{}, kv.ErrFuture
		}
		err := s.view(func(tx *bbolt.Tx) error {
			// Read after it has begun: whoever forgets something says so first.
			if res.Revision < s.compacted.Load() {
				return kv.ErrCompacted
			}
			return collect(tx, r, &res)
		})
		switch {
		case err == nil:
			return res, nil
		case r.Revision != 0 || !errors.Is(err, kv.ErrCompacted):
			return kv.Result{}, err
		}
	}
}

// collect walks the index once: of each key, the last write up to the revision counts.
func collect(tx *bbolt.Tx, r kv.Range, res *kv.Result) error {
	var key string
	var best int64 // 0: the key did not exist at the revision
	take := func() error {
		if best == 0 {
			return nil
		}
		if r.Limit > 0 && len(res.KVs) == r.Limit {
			res.More++
			return nil
		}
		rec, err := readRecord(tx, best)
		res.KVs = append(res.KVs, kv.KV{Key: key, Value: rec.value, Revision: best})
		return err
	}
	c := tx.Bucket(indexBucket).Cursor()
	for at, dead := c.Seek([]byte(r.Start)); at != nil; at, dead = c.Next() {
		k, rev, err := splitIndexKey(at)
		if err != nil {
			return err
		}
		if k >= r.End {
			break
		}
		if k != key {
			if err := take(); err != nil {
				return err
			}
			key, best = k, 0
		}
		if rev <= res.Revision {
			best = rev
			if len(dead) > 0 {
				best = 0
			}
		}
	}
	return take()
}

// Close is part of kv.Store.
func (s *Store) Close() error {
	s.once.Do(func() { close(s.closing) })
	s.workers.Wait()
	s.tail.end(kv.ErrClosed)
	return s.db.Close()
}

var _ kv.Store = (*Store)(nil)
