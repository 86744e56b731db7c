package kv

import (
	"context"
	"errors"
	"iter"
	"time"
)

// The errors that a Store returns for expected outcomes, to be tested with
// errors.Is. Everything else is a failure of the engine.
var (
	ErrNotFound  = errors.New("key not found")
	ErrExists    = errors.New("key exists already")
	ErrConflict  = errors.New("key was changed meanwhile") // its revision is not the expected one
	ErrCompacted = errors.New("revision is older than the history that is kept")
	ErrFuture    = errors.New("revision has not been reached yet")
	ErrClosed    = errors.New("store is closed")
)

// KV is one key with its value at one moment. A key is not empty and has no zero
// byte. The value is shared and read only.
type KV struct {
	Key      string
	Value    []byte
	Revision int64 // of the write that set the value
}

// Event is one change. A deletion has the key, the revision of the deletion
// and no value.
type Event struct {
	Deleted bool
	KV      KV
	Prev    *KV // what the key held before; nil where it did not exist
}

// Range says which keys to read. The next page of a limited range starts at the
// last key of this one with a zero byte added, at the same revision.
type Range struct {
	Start, End string // Start ≤ key < End
	Revision   int64  // read as of this revision; 0 reads the newest
	Limit      int    // at most so many; 0 is no limit
}

// Prefix is the range of all keys that begin with p.
func Prefix(p string) Range { return Range{Start: p, End: PrefixEnd(p)} }

// PrefixEnd is the first key behind all keys that begin with p. p is not empty
// and does not end in a byte 0xff.
func PrefixEnd(p string) string { return p[:len(p)-1] + string(p[len(p)-1]+1) }

// Result is what a range holds at one revision.
type Result struct {
	KVs      []KV  // in the order of the keys' bytes
	Revision int64 // the revision that was read: every item's is at most this
	More     int   // how many further keys the limit left out
}

// Write is one change with its precondition.
type Write struct {
	Key    string
	Value  []byte        // belongs to the store from the call on
	Delete bool          // remove the key instead; IfRev is the revision to remove
	IfRev  int64         // the key's present revision; 0: the key must not exist
	TTL    time.Duration // the key is deleted after so long unless it is written again; 0: never
}

// Store is a storage engine. All methods may be called concurrently.
//
// Revisions start at 1, which is that of an empty store, are global, and rise
// by at least one with every write, across restarts too: a revision that was given
// out is never given out again. No method tells of a revision that Revision
// does not know yet.
type Store interface {
	// Revision returns the newest revision: every write acknowledged before the
	// call has this one or an earlier one.
	Revision(ctx context.Context) (int64, error)

	// Get returns the newest value of a key, or ErrNotFound.
	Get(ctx context.Context, key string) (KV, error)

	// Range reads keys as of one revision: ErrCompacted where its history is
	// gone, ErrFuture where it has not been reached.
	Range(ctx context.Context, r Range) (Result, error)

	// Write does one change and returns its revision once the change is
	// durable: ErrExists where IfRev is 0 and the key exists, ErrNotFound where
	// the key to change or delete is not there, ErrConflict where it has another
	// revision, ErrClosed: these changed nothing. On any other error the
	// change may or may not have happened.
	Write(ctx context.Context, w Write) (int64, error)

	// Watch yields every change of keys in [start, end) committed after rev, in the
	// order of revisions, until ctx is done or the loop breaks. It starts with
	// history (all of it where rev is 0) and goes over to new changes without a
	// gap; where rev is still to come, it waits for it. An error is the last pair:
	// ErrCompacted where rev+1 is no longer kept, ErrClosed, ctx's error.
	//
	// An event without a key is progress: every change up to its revision has been
	// yielded. One comes when others' changes have passed, at the latest soon after
	// somebody called Revision: so a reader can wait for the revision it was told.
	Watch(ctx context.Context, start, end string, rev int64) iter.Seq2[Event, error]

	// Compact forgets history: reads and watches from before rev fail afterwards,
	// those from rev on do not. ErrFuture where rev has not been reached.
	Compact(ctx context.Context, rev int64) error

	// Tell calls listen with the events of every commit from now on, in order: once
	// the commit is durable, and before its writers get their answers and Revision
	// tells of it. So a cache that listens is never behind. The writers wait for
	// listen: it must not wait for anything, and not call the store. It ends with
	// the store. ok is false, and listen never called, where others write to the
	// same store and it hears of their changes later: there a cache has to Watch.
	Tell(listen func([]Event)) (ok bool)

	// Close ends watches and waits for what the store still has to do. To close
	// once more is no error.
	Close() error
}
