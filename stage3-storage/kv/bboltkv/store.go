package bboltkv

import (
	"cmp"
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
)

// Options say where the file is and how much history it keeps.
type Options struct {
	Path         string
	LockTimeout  time.Duration // how long to wait for another process to let go of the file; 0 is 3 seconds
	HistoryAge   time.Duration // 0 keeps 5 minutes
	HistoryBytes int64         // 0 keeps 64 MB
}

// Store is an open file. It belongs to this process until Close.
type Store struct {
	options Options
	db      *bbolt.DB

	revision  atomic.Int64 // newest that was published; only the committer moves it
	compacted atomic.Int64 // moves before anything is forgotten
	written   atomic.Int64 // bytes of all records since Open

	telling   sync.Mutex // held while listeners are told and the revision moves
	listeners []func([]kv.Event)
	news      atomic.Pointer[chan struct{}] // closed and replaced when the revision moves

	queue    chan *op
	closing  chan struct{} // closed by Close
	close    sync.Once
	workers  sync.WaitGroup
	expiring chan struct{} // wakes the expirer: a key with a time to live was written
	grown    chan struct{} // wakes the compactor: there is much new history
}

var _ kv.Store = (*Store)(nil)

// Open opens or creates the file. One that another process has open, that is
// damaged, or that is no store is an error and is left as it is.
func Open(ctx context.Context, o Options) (*Store, error) {
	o.LockTimeout = cmp.Or(o.LockTimeout, 3*time.Second)
	o.HistoryAge = cmp.Or(o.HistoryAge, 5*time.Minute)
	o.HistoryBytes = cmp.Or(o.HistoryBytes, 64<<20)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open %s: %w", o.Path, err)
	}
	if err := os.MkdirAll(filepath.Dir(o.Path), 0o700); err != nil {
		return nil, fmt.Errorf("open %s: %w", o.Path, err)
	}
	db, err := openFile(o)
	if err != nil {
		return nil, err
	}
	s := &Store{
		options: o, db: db, queue: make(chan *op), closing: make(chan struct{}),
		expiring: make(chan struct{}, 1), grown: make(chan struct{}, 1),
	}
	if err := s.load(); err != nil {
		return nil, fmt.Errorf("open %s: %w", o.Path, errors.Join(err, db.Close()))
	}
	s.news.Store(new(make(chan struct{})))
	s.workers.Go(s.commitLoop)
	s.workers.Go(s.expireLoop)
	s.workers.Go(s.compactLoop)
	return s, nil
}

// Revision is part of kv.Store. It touches no disk.
func (s *Store) Revision(context.Context) (int64, error) { return s.revision.Load(), nil }

// Tell is part of kv.Store. What has been told before, Revision knows when Tell
// returns: a listener that reads the store afterwards misses nothing.
func (s *Store) Tell(listen func([]kv.Event)) bool {
	s.telling.Lock()
	defer s.telling.Unlock()
	s.listeners = append(s.listeners, listen)
	return true
}

// Close is part of kv.Store. What the committer has taken is committed and
// answered; who still waits in the queue gets ErrClosed.
func (s *Store) Close() error {
	s.close.Do(func() { close(s.closing) })
	s.workers.Wait()
	return s.db.Close() // waits for readers
}

// wake tells a goroutine of the store to look again; it need not be told twice.
func wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
