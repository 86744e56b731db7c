package cache

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
)

// Reflector puts what happens in a collection into a queue, for as long as it
// runs, so that whoever empties the queue has a mirror of the collection.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/reflector.go Reflector
type Reflector struct {
	// ShouldResync is asked every resync period; nil always agrees.
	ShouldResync func() bool

	name         string // of the collection, for the log
	lw           ListerWatcher
	queue        *DeltaFIFO
	resyncPeriod time.Duration // 0 never resyncs
	version      atomic.Value  // string: of the last list or event seen

	// Only Run's goroutine uses these.
	listed  bool // the queue has everything as the server was at version, so that a watch can go on from there
	expired bool // the server no longer has that version
}

// NewReflector returns a Reflector that has not seen anything yet.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/reflector.go NewReflector
func NewReflector(name string, lw ListerWatcher, queue *DeltaFIFO, resyncPeriod time.Duration) *Reflector {
	return &Reflector{name: name, lw: lw, queue: queue, resyncPeriod: resyncPeriod}
}

// How long to wait before the next attempt: a little, then twice as long each
// time, with as much again by chance so that many clients do not come back in
// the same moment.
const (
	minBackoff = 800 * time.Millisecond
	maxBackoff = 30 * time.Second
	healthy    = 2 * time.Minute // an attempt that lasted so long was a success
)

// Run lists and watches until ctx ends, again and again, and returns when its
// resync timer has ended too.
//
// Differs: 1.7 tries again after one second, however often it failed.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/reflector.go Run
func (r *Reflector) Run(ctx context.Context) {
	var timer sync.WaitGroup
	timer.Go(func() { r.resync(ctx) })
	defer timer.Wait()
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

// list puts a whole list into the queue. The first list takes what the server
// has at hand, a later one anything that is not older than what we have seen,
// so that the cache never goes back in time. If the server cannot serve that
// version any more (410), or has never reached it (its data were replaced),
// then the newest state counts, whatever it is.
//
// Differs: 1.7 lists at "0" every time and may be answered with something older.
func (r *Reflector) list(ctx context.Context) error {
	version := r.LastSyncResourceVersion()
	if version == "" {
		version = "0"
	}
	if r.expired {
		version = ""
	}
	list, err := r.lw.List(ctx, ListOptions{ResourceVersion: version})
	if version != "" && unavailable(err) {
		list, err = r.lw.List(ctx, ListOptions{})
	}
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	if list.ResourceVersion == "" {
		return errors.New("list: the answer has no resourceVersion, so there is nothing to watch from")
	}
	if err := r.queue.Replace(list.Items, list.ResourceVersion); err != nil {
		return fmt.Errorf("list: %w", err)
	}
	r.listed, r.expired = true, false
	r.version.Store(list.ResourceVersion)
	return nil
}

// watch follows one stream from where the list, or the stream before, ended.
// nil means that the server has ended it and that the next one may follow.
//
// Differs: 1.7 takes a new list whenever a watch cannot be started, unless the connection was refused.
func (r *Reflector) watch(ctx context.Context) error {
	began, seen := time.Now(), 0
	for ev, err := range r.lw.Watch(ctx, r.LastSyncResourceVersion()) {
		if err != nil {
			r.listed, r.expired = onlyTheConnection(err), unavailable(err)
			return fmt.Errorf("watch: %w", err)
		}
		if err := r.take(ev); err != nil {
			r.listed = false
			return fmt.Errorf("watch: %w", err)
		}
		seen++
	}
	if ctx.Err() == nil && seen == 0 && time.Since(began) < time.Second {
		return errors.New("very short watch: the stream ended at once and without an event") // Run's backoff spares the server
	}
	return ctx.Err()
}

// onlyTheConnection: the server has said nothing, or that it is too busy.
func onlyTheConnection(err error) bool {
	s, said := errors.AsType[*status.Status](err)
	return !said || s.Code == http.StatusTooManyRequests
}

// take puts one event into the queue. Only then does the version move on.
//
// Differs: upstream logs an event that it does not understand and goes on without it; here the next list puts right what it may have meant.
func (r *Reflector) take(ev Event) error {
	version, err := versionOf(ev.Object)
	if err != nil {
		return err
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
		r.version.Store(version)
	}
	return err
}

// resync lets the queue hand out what is cached every resync period. The next
// period begins when the last one is dealt with, so periods are never shorter.
func (r *Reflector) resync(ctx context.Context) {
	for r.resyncPeriod > 0 && sleep(ctx, r.resyncPeriod) {
		if r.ShouldResync != nil && !r.ShouldResync() {
			continue
		}
		if err := r.queue.Resync(); err != nil {
			log.Printf("reflector of %s: resync: %v", r.name, err)
		}
	}
}

// LastSyncResourceVersion is the version of the last list or event seen.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/reflector.go LastSyncResourceVersion
func (r *Reflector) LastSyncResourceVersion() string {
	v, _ := r.version.Load().(string) // "" before the first list
	return v
}

// versionOf reads the version as text: to a client it is opaque.
func versionOf(obj *object.Encoded) (string, error) {
	if obj == nil {
		return "", errors.New("an event has no object")
	}
	meta, err := obj.Meta()
	if err == nil && meta.ResourceVersion == "" {
		err = errors.New("the object of an event has no resourceVersion")
	}
	if err != nil {
		return "", err
	}
	return meta.ResourceVersion, nil
}

// unavailable: the server has forgotten the version that we asked for, or does
// not know it yet.
func unavailable(err error) bool {
	s, ok := errors.AsType[*status.Status](err)
	return ok && (s.Code == http.StatusGone || s.Code == http.StatusGatewayTimeout && status.HasCause(err, "ResourceVersionTooLarge"))
}

// sleep returns false, and at once, when ctx ends.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
