package cache

import (
	"context"
	"iter"

	"example.com/kube-apiserver/stage3-storage/object"
)

// ListerWatcher is where an informer gets its objects from: one collection of
// the API. Selectors, page sizes and the timeout of a watch are the business
// of whoever implements it. Both methods give up when ctx ends. What the
// server itself says is wrong is a *status.Status in the chain of the error.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/listwatch.go ListerWatcher
type ListerWatcher interface {
	// List returns the whole collection as it is now.
	List(ctx context.Context) (List, error)

	// Watch yields what changes after resourceVersion, in order. An error is the
	// last pair; without one the server has ended the stream in the normal way,
	// as it does every few minutes.
	Watch(ctx context.Context, resourceVersion string) iter.Seq2[Event, error]
}

// List is a collection at one resourceVersion.
type List struct {
	Items           []*object.Encoded
	ResourceVersion string
}

// EventType says what happened to an object, in the words of the wire.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/watch/watch.go EventType
type EventType string

const (
	EventAdded    EventType = "ADDED"
	EventModified EventType = "MODIFIED"
	EventDeleted  EventType = "DELETED"
	EventBookmark EventType = "BOOKMARK" // nothing happened up to the object's resourceVersion
	EventError    EventType = "ERROR"    // on the wire only: its Status becomes the error of the last pair
)

// Event is one change of one object. Object is the new state; for a deletion
// the last one, with the resourceVersion of the deletion; for a bookmark an
// object that has nothing but a resourceVersion.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/watch/watch.go Event
type Event struct {
	Type   EventType
	Object *object.Encoded
}
