package bboltkv

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kv"
	"go.etcd.io/bbolt"
)

// maxBatch bounds how long the first of a batch waits for the others.
const maxBatch = 1000

// op is something for the committer to do in a transaction.
type op struct {
	do   func(*batch) (int64, error)
	done chan outcome // gets the answer, once
}

type outcome struct {
	n   int64
	err error
}

// batch is what one transaction has done by now.
type batch struct {
	tx     *bbolt.Tx
	last   int64 // newest revision
	events []kv.Event
	bytes  int64
	mortal bool // a key with a time to live is among them
}

// Write is part of kv.Store.
func (s *Store) Write(ctx context.Context, w kv.Write) (int64, error) {
	if w.Key == "" || strings.Contains(w.Key, "\x00") || len(w.Key) > bbolt.MaxKeySize-9 {
		return 0, fmt.Errorf("write %q: a key is not empty, has no zero byte, and at most %d bytes", w.Key, bbolt.MaxKeySize-9)
	}
	return s.submit(ctx, func(b *batch) (int64, error) { return b.write(w) })
}

func (s *Store) submit(ctx context.Context, do func(*batch) (int64, error)) (int64, error) {
	o := &op{do, make(chan outcome, 1)}
	select {
	case s.queue <- o:
	case <-s.closing:
		return 0, kv.ErrClosed
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	out := <-o.done // it is in the committer's hands: the answer comes, and it is the true one
	return out.n, out.err
}

// commitLoop is the only writer of the file. A writer that commits for all who
// wait would spare two changes of goroutine; no difference could be measured.
func (s *Store) commitLoop() {
	for {
		select {
		case o := <-s.queue:
			s.commit(s.gather(o))
		case <-s.closing:
			return
		}
	}
}

// gather takes what else waits at this moment.
func (s *Store) gather(first *op) []*op {
	ops := []*op{first}
	for len(ops) < maxBatch {
		select {
		case o := <-s.queue:
			ops = append(ops, o)
		default:
			return ops
		}
	}
	return ops
}

var errUnsure = errors.New("an earlier commit failed half-way, and only opening the file anew can tell what is in it")

// commit does everything in one transaction and answers everybody after it is
// on disk. A failed precondition is the answer to one; a failed commit to all.
func (s *Store) commit(ops []*op) {
	outcomes := make([]outcome, len(ops))
	b := &batch{last: s.revision.Load()}
	err := s.update(func(tx *bbolt.Tx) error {
		// When an fsync fails, its writes may be in the file although they were
		// refused. Writing their revisions again would mix two histories.
		if lastRevision(tx) > b.last {
			return errUnsure
		}
		b.tx = tx
		for i, o := range ops {
			n, err := o.do(b)
			if err != nil && !refused(err) {
				return err
			}
			outcomes[i] = outcome{n, err}
		}
		return nil
	})
	if err == nil {
		s.publish(b)
	}
	for i, o := range ops {
		if err != nil {
			outcomes[i] = outcome{0, err}
		}
		o.done <- outcomes[i]
	}
}

// refused says that a write changed nothing and that the others of its batch go on.
func refused(err error) bool {
	return errors.Is(err, kv.ErrExists) || errors.Is(err, kv.ErrNotFound) || errors.Is(err, kv.ErrConflict)
}

// publish lets readers, watchers and the store's own goroutines know.
func (s *Store) publish(b *batch) {
	if len(b.events) == 0 {
		return
	}
	s.telling.Lock()
	for _, listen := range s.listeners {
		listen(b.events)
	}
	s.revision.Store(b.last)
	s.telling.Unlock()
	close(*s.news.Swap(new(make(chan struct{}))))
	if b.mortal {
		wake(s.expiring)
	}
	if after, step := s.written.Add(b.bytes), s.historyStep(); after/step != (after-b.bytes)/step {
		wake(s.grown)
	}
}

// write checks the precondition against what the transaction has by now, the
// earlier writes of the same batch included, and writes.
func (b *batch) write(w kv.Write) (int64, error) {
	prevRev, prev, err := newest(b.tx, w.Key, b.last)
	if err != nil {
		return 0, err
	}
	exists := prevRev != 0 && !prev.deleted
	switch {
	case exists && w.IfRev == 0:
		return 0, kv.ErrExists
	case !exists && (w.IfRev != 0 || w.Delete):
		return 0, kv.ErrNotFound
	case exists && w.IfRev != prevRev:
		return 0, kv.ErrConflict
	}
	r := record{deleted: w.Delete, key: w.Key}
	if !w.Delete {
		r.value, r.expires = w.Value, expiry(w.TTL)
	}
	ev := kv.Event{Deleted: w.Delete, KV: kv.KV{Key: w.Key, Value: r.value, Revision: b.last + 1}}
	if exists {
		r.prev = prevRev
		ev.Prev = &kv.KV{Key: w.Key, Value: prev.value, Revision: prevRev}
	}
	if err := b.put(r, prev.expires); err != nil {
		return 0, err
	}
	b.events = append(b.events, ev)
	return b.last, nil
}

// put gives a record the next revision and writes it, its entry in the index,
// and its expiry time in place of that of the value before it.
func (b *batch) put(r record, prevExpires int64) error {
	b.last++
	encoded := r.encode()
	var flags []byte // a list need not read the log to know of a deletion
	if r.deleted {
		flags = encoded[:1]
	}
	if err := b.tx.Bucket(logBucket).Put(revisionKey(b.last), encoded); err != nil {
		return err
	}
	if err := b.tx.Bucket(indexBucket).Put(indexKey(r.key, b.last), flags); err != nil {
		return err
	}
	b.bytes += int64(len(encoded))
	times := b.tx.Bucket(expiryBucket)
	if prevExpires > 0 {
		if err := times.Delete(expiryKey(prevExpires, r.prev)); err != nil {
			return err
		}
	}
	if r.expires > 0 {
		b.mortal = true
		return times.Put(expiryKey(r.expires, b.last), nil)
	}
	return nil
}
