package cache

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/kube-apiserver/stage3-storage/object/status"
)

// Reflector puts what happens in a collection into a queue, for as long as it
// runs, so that whoever empties the queue has a mirror of the collection.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/reflector.go Reflector
type Reflector struct {
	name    string // of the collection, for the log
	lw      ListerWatcher
	queue   *DeltaFIFO
	version atomic.Value // string: of the last list or event in the queue
	listed  bool         // a watch can go on from version; only Run's goroutine uses it
}

// The pause before the next attempt doubles each time, and chance adds as much
// again, so that many clients do not come back in the same moment.
const (
	minBackoff = 800 * time.Millisecond
	maxBackoff = 30 * time.Second
	healthy    = 2 * time.Minute // an attempt that lasted so long was a success
)

// Run lists and watches until ctx ends, again and again.
//
// Differs: 1.7 tries again after one second, however often it failed.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/reflector.go Run
func (r *Reflector) Run(ctx context.Context) {
	for delay := minBackoff; ; delay = min(2*delay, maxBackoff) {
		began := time.Now()
		err := r.ListAndWatch(ctx)
		if ctx.Err() != nil {
			return
		}
		log.Printf("reflector of %s: %v", r.name, err)
		if time.Since(began) > healthy {
			delay = minBackoff
		}
		if !sleep(ctx, delay+rand.N(delay)) {
			return
		}
	}
}

// ListAndWatch takes a list, then every change since that list, until
// something goes wrong. It never returns nil: a stream that the server ends is
// followed by the next one. If all that went wrong is the connection, the next
// call goes on from the last change instead of taking a list: a list shows
// what became of the objects, but not what happened to them.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/reflector.go ListAndWatch
func (r *Reflector) ListAndWatch(ctx context.Context) (err error) {
	if !r.listed {
		err = r.list(ctx)
	}
	for err == nil {
		err = r.watch(ctx)
	}
	return err
}

// list puts the whole collection into the queue.
//
// Differs: 1.7 lists at "0" and may be answered with something older than what it knows; here every list is the newest state.
func (r *Reflector) list(ctx context.Context) error {
	list, err := r.lw.List(ctx)
	if err == nil && list.ResourceVersion == "" {
		err = errors.New("the answer has no resourceVersion, so there is nothing to watch from")
	}
	if err == nil {
		err = r.queue.Replace(list.Items)
	}
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	r.listed = true
	r.version.Store(list.ResourceVersion)
	return nil
}

// watch follows one stream from where the list, or the stream before, ended.
// nil means that the server has ended it and that the next one may follow.
//
// Differs: 1.7 takes a new list whenever a watch cannot be started, unless the connection was refused.
func (r *Reflector) watch(ctx context.Context) error {
	began, from := time.Now(), r.LastSyncResourceVersion()
	for ev, err := range r.lw.Watch(ctx, from) {
		if err != nil {
			r.listed = onlyTheConnection(err)
			return fmt.Errorf("watch: %w", err)
		}
		if err := r.take(ev); err != nil {
			r.listed = false
			return fmt.Errorf("watch: %w", err)
		}
	}
	if ctx.Err() == nil && r.LastSyncResourceVersion() == from && time.Since(began) < time.Second {
		return errors.New("very short watch: the stream ended at once and without an event") // the pause spares the server
	}
	return ctx.Err()
}

// onlyTheConnection: the server has said nothing, or that it is too busy.
// Anything else, above all 410, means that it cannot go on from our version.
func onlyTheConnection(err error) bool {
	s, said := errors.AsType[*status.Status](err)
	return !said || s.Code == http.StatusTooManyRequests
}

// take puts one event into the queue. Only then does the version move on.
//
// Differs: upstream logs an event that it does not understand and goes on without it; here the next list puts right what it may have meant.
func (r *Reflector) take(ev Event) error {
	meta, err := ev.Object.Meta()
	if err != nil {
		return err
	}
	if meta.ResourceVersion == "" {
		return errors.New("the object of an event has no resourceVersion")
	}
	switch ev.Type {
	case EventAdded:
		err = r.queue.Add(ev.Object)
	case EventModified:
		err = r.queue.Update(ev.Object)
	case EventDeleted:
		err = r.queue.Delete(ev.Object)
	case EventBookmark: // moves the version and nothing else: a quiet watch does not grow too old
	default:
		err = fmt.Errorf("an event of unknown type %q", ev.Type)
	}
	if err == nil {
		r.version.Store(meta.ResourceVersion)
	}
	return err
}

// LastSyncResourceVersion is the version of the last list or event seen.
func (r *Reflector) LastSyncResourceVersion() string {
	version, _ := r.version.Load().(string) // "" before the first list
	return version
}

// sleep returns false, and at once, when ctx ends.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
