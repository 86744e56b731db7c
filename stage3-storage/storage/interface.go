package storage

import (
	"context"
	"iter"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
)

// Interface is where the objects of one resource live. Keys are complete, such
// as "/registry/pods/default/web". All methods may be called concurrently; the
// objects that they return are shared and immutable.
//
// Errors are those of package kv: ErrNotFound, ErrExists, ErrCompacted, ErrFuture.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/interfaces.go Interface
type Interface interface {
	// Revision is the newest revision of the whole store.
	Revision(ctx context.Context) (int64, error)

	// Get returns the newest object.
	Get(ctx context.Context, key string) (*object.Encoded, error)

	// List returns the objects under a prefix, which ends in "/", as of one revision.
	List(ctx context.Context, prefix string, opts ListOptions) (List, error)

	// Write is one attempt of [GuaranteedUpdate]: it stores value in place of live
	// (nil: nothing), or deletes where value is nil. ErrConflict says that
	// somebody else wrote meanwhile.
	Write(ctx context.Context, key string, live *object.Encoded, value []byte, ttl time.Duration) (*object.Encoded, error)

	// Watch yields the changes under a prefix after a revision, in order, until
	// ctx ends or the loop breaks; an error is the last pair. A Bookmark among them
	// says how far the watch has come.
	Watch(ctx context.Context, prefix string, rev int64) iter.Seq2[Event, error]

	// Tell is that of kv.Store, for the changes under a prefix; ok is false
	// where the engine cannot.
	Tell(prefix string, listen func([]Event)) (ok bool)
}

// Update says what becomes of a key. live is nil where the key does not exist.
// A nil object deletes the key, one that equals live writes nothing. It may be
// called several times and must not change anything outside. An error ends the
// attempt and goes to the caller.
type Update func(live *object.Encoded) (next *object.Object, ttl time.Duration, err error)

// ListOptions choose what a list contains.
type ListOptions struct {
	Revision int64                      // as of this revision; 0 is the newest
	Start    string                     // only keys from this one on; "" is from the first
	Limit    int                        // at most so many objects; 0 is all
	Match    func(*object.Encoded) bool // only objects for which it is true; nil is all
}

// List is a part of a collection at one revision.
type List struct {
	Items     []*object.Encoded
	Keys      []string // of the items
	Revision  int64
	Remaining int // how many keys the limit left out, whether they match or not
}

// EventType says what happened to an object.
type EventType string

const (
	Added    EventType = "ADDED"
	Modified EventType = "MODIFIED"
	Deleted  EventType = "DELETED"
	Bookmark EventType = "BOOKMARK" // nothing happened up to Revision
)

// Event is one change of one object.
type Event struct {
	Type     EventType
	Key      string
	Object   *object.Encoded // as it is now; for Deleted: as it was, with the revision of the deletion
	Prev     *object.Encoded // as it was before; nil for Added
	Revision int64
}

// Decorator puts something in front of a store: a cache, say.
type Decorator func(inner Interface, prefix string) Interface
