package bboltkv

import (
	"context"
	"errors"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
)

// maxBatch bounds how long the first writer of a batch waits for the others.
const maxBatch = 1000

// pending is a write on its way. done gets the outcome, once.
type pending struct {
	kv.Write
	compact int64 // instead of a write: forget history before this revision
	done    chan outcome
}

type outcome struct {
	rev int64
	err error
}

// Write is part of kv.Store.
func (s *Store) Write(ctx context.Context, w kv.Write) (int64, error) {
	return s.submit(ctx, &pending{Write: w, done: make(chan outcome, 1)})
}

func (s *Store) submit(ctx context.Context, p *pending) (int64, error) {
	select {
	case s.queue <- p:
	case <-s.closing:
		return 0, kv.ErrClosed
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	o := <-p.done // it is in the committer's hands: the answer comes
	return o.rev, o.err
}

// commitLoop is the only writer of the file.
func (s *Store) commitLoop() {
	for {
		select {
		case p := <-s.queue:
			s.commit(s.gather(p))
		case <-s.closing:
			return
		}
	}
}

// gather takes what else waits at this moment.
func (s *Store) gather(first *pending) []*pending {
	batch := []*pending{first}
	for len(batch) < maxBatch {
		select {
		case p := <-s.queue:
			batch = append(batch, p)
		default:
			return batch
		}
	}
	return batch
}

// commit does a batch in one transaction and answers everybody after it is on
// disk. A failed precondition is the answer of one write; a failed commit that
// of all.
func (s *Store) commit(batch []*pending) {
	outcomes := make([]outcome, len(batch))
	var events []kv.Event
	next := s.revision.Load()
	err := s.db.Update(func(tx *bbolt.Tx) error {
		for i, p := range batch {
			if p.compact > 0 {
				more, err := compactSome(tx, p.compact)
				if err != nil {
					return err
				}
				if more {
					outcomes[i].err = errMore
				}
				continue
			}
			ev, err := apply(tx, p.Write, next+1)
			if err != nil && !expected(err) {
				return err
			}
			if err == nil {
				next++
				events = append(events, ev)
			}
			outcomes[i] = outcome{next, err}
		}
		return nil
	})
	if err == nil && len(events) > 0 {
		if s.options.OnCommit != nil {
			s.options.OnCommit(events)
		}
		s.revision.Store(next)
		s.tail.add(events)
		s.count(events)
	}
	for i, p := range batch {
		if err != nil {
			outcomes[i] = outcome{0, err}
		}
		p.done <- outcomes[i]
		if p.TTL > 0 && outcomes[i].err == nil {
			s.expiresAt(expiry(time.Now(), p.TTL))
		}
	}
}

func expected(err error) bool {
	return errors.Is(err, kv.ErrExists) || errors.Is(err, kv.ErrNotFound) || errors.Is(err, kv.ErrConflict)
}

// apply checks the precondition against what the transaction has by now, the
// earlier writes of the same batch included, and writes.
func apply(tx *bbolt.Tx, w kv.Write, rev int64) (kv.Event, error) {
	prevRev, prev, err := newest(tx, w.Key)
	if err != nil {
		return kv.Event{}, err
	}
	exists := prevRev != 0 && !prev.deleted
	switch {
	case w.IfRev == 0 && exists:
		return kv.Event{}, kv.ErrExists
	case w.IfRev != 0 && !exists:
		return kv.Event{}, kv.ErrNotFound
	case exists && w.IfRev != prevRev:
		return kv.Event{}, kv.ErrConflict
	}
	r := record{deleted: w.Delete, prev: prevRev, expires: expiry(time.Now(), w.TTL), key: w.Key, value: w.Value}
	if w.Delete {
		r.value = nil
	}
	var dead []byte // the index tells of a deletion, so that a list need not read the log for it
	if w.Delete {
		dead = []byte{flagDeleted}
	}
	err = errors.Join(
		tx.Bucket(logBucket).Put(revisionKey(rev), r.encode()),
		tx.Bucket(indexBucket).Put(indexKey(w.Key, rev), dead),
	)
	if exists && prev.expires > 0 {
		err = errors.Join(err, tx.Bucket(expiryBucket).Delete(expiryKey(prev.expires, prevRev)))
	}
	if r.expires > 0 {
		err = errors.Join(err, tx.Bucket(expiryBucket).Put(expiryKey(r.expires, rev), nil))
	}
	ev := kv.Event{Deleted: w.Delete, KV: kv.KV{Key: w.Key, Value: r.value, Revision: rev}}
	if exists {
		ev.Prev = &kv.KV{Key: w.Key, Value: prev.value, Revision: prevRev}
	}
	return ev, err
}
