package cacher

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/storage"
)

// A watcher to which nothing happens is told about once a minute how far the
// stream has come, and a last time shortly before it ends: there it can resume,
// although history behind its last event may be gone by then.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/cacher.go nextBookmarkTime
const (
	bookmarkEvery  = time.Minute
	bookmarkBefore = 2 * time.Second
)

// Watch is part of storage.Interface. The watcher pulls: while it has an event,
// nobody waits for it, and nothing is kept for it but its revision.
func (c *Cacher) Watch(ctx context.Context, prefix string, rev int64) iter.Seq2[storage.Event, error] {
	return func(yield func(storage.Event, error) bool) {
		w := watcher{c, prefix, rev, yield}
		timer := time.NewTimer(untilBookmark(ctx, true))
		defer timer.Stop()
		for bookmark := int64(0); ; {
			events, changed, err := c.after(w.rev)
			switch {
			case errors.Is(err, errBehind):
				err = w.history(ctx)
			case len(events) > 0:
				err = w.send(events)
			case bookmark > 0: // all that happened up to it has been sent
				err = w.send([]storage.Event{{Type: storage.Bookmark, Revision: max(bookmark, w.rev)}})
				bookmark = 0
			case err == nil:
				select {
				case <-changed:
				case <-timer.C:
					bookmark, err = c.fresh(ctx)
					timer.Reset(untilBookmark(ctx, false))
				case <-ctx.Done():
				}
			}
			if errors.Is(err, errLeft) {
				return
			}
			if err = cmp.Or(ctx.Err(), err); err != nil {
				yield(storage.Event{}, err)
				return
			}
		}
	}
}

var (
	errBehind = errors.New("the log does not reach back so far")
	errLeft   = errors.New("the watcher has left its loop")
)

// after returns the next changes behind a revision and a channel that is closed
// when there are more.
func (c *Cacher) after(rev int64) (events []storage.Event, changed <-chan struct{}, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !c.filled:
		return nil, c.changed, c.failed
	case rev < c.log.oldest:
		return nil, c.changed, errBehind
	}
	return c.log.since(rev, chunk), c.changed, nil
}

// untilBookmark is how long it takes until the next bookmark.
func untilBookmark(ctx context.Context, first bool) time.Duration {
	every := bookmarkEvery - rand.N(bookmarkEvery/10) // not all watchers in the same moment
	if end, ok := ctx.Deadline(); ok {
		if left := time.Until(end) - bookmarkBefore; left > 0 || first {
			return min(every, left)
		}
	}
	return every
}

// watcher is one loop over a watch.
type watcher struct {
	cacher *Cacher
	prefix string
	rev    int64 // how far it has come
	yield  func(storage.Event, error) bool
}

func (w *watcher) send(events []storage.Event) error {
	for _, ev := range events {
		w.rev = ev.Revision
		if (strings.HasPrefix(ev.Key, w.prefix) || ev.Type == storage.Bookmark) && !w.yield(ev, nil) {
			return errLeft
		}
	}
	return nil
}

// history reads from the store until the log reaches back far enough: after a
// restart, say, the log is empty, and the history is still there.
func (w *watcher) history(ctx context.Context) error {
	for ev, err := range w.cacher.Interface.Watch(ctx, w.prefix, w.rev) {
		if err != nil {
			return err
		}
		w.rev = ev.Revision
		if ev.Type != storage.Bookmark && !w.yield(ev, nil) {
			return errLeft
		}
		if _, _, err := w.cacher.after(w.rev); !errors.Is(err, errBehind) {
			return nil
		}
	}
	return ctx.Err()
}
