package cacher

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/storage"
)

// Watch is part of storage.Interface. The watcher pulls: while it has an event,
// nobody waits for it, and nothing is kept for it but its revision.
func (c *Cacher) Watch(ctx context.Context, prefix string, rev int64) iter.Seq2[storage.Event, error] {
	return func(yield func(storage.Event, error) bool) {
		timer := time.NewTimer(c.untilBookmark(ctx))
		defer timer.Stop()
		for bookmark := int64(0); ; {
			events, oldest, changed := c.after(rev)
			var err error
			switch {
			case rev < oldest:
				events, err = c.history(ctx, prefix, rev, oldest)
			case len(events) > 0:
			case bookmark > 0: // all that happened up to it has been sent
				events = []storage.Event{{Type: storage.Bookmark, Revision: max(bookmark, rev)}}
				bookmark = 0
			default:
				select {
				case <-changed:
				case <-timer.C:
					bookmark, _ = c.fresh(ctx) // 0 where memory cannot tell
					timer.Reset(c.untilBookmark(ctx))
				case <-ctx.Done():
				}
			}
			for _, ev := range events {
				rev = ev.Revision
				if (ev.Type == storage.Bookmark || strings.HasPrefix(ev.Key, prefix)) && !yield(ev, nil) {
					return
				}
			}
			if err = cmp.Or(ctx.Err(), err); err != nil {
				yield(storage.Event{}, err)
				return
			}
		}
	}
}

// after returns the next changes behind a revision, how far back those go that
// are remembered, and a channel that is closed when there are more.
func (c *Cacher) after(rev int64) (events []storage.Event, oldest int64, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.filled {
		events, oldest = c.log.since(rev, chunk), c.log.oldest
	}
	return events, oldest, c.changed
}

// history reads the next changes up to a revision from the store: after a
// restart, say, the log is empty, and the history is still there.
func (c *Cacher) history(ctx context.Context, prefix string, rev, upTo int64) (events []storage.Event, err error) {
	for ev, err := range c.Interface.Watch(ctx, prefix, rev) {
		if err != nil {
			return events, err
		}
		events = append(events, ev)
		if len(events) == chunk || ev.Revision >= upTo {
			break
		}
	}
	return events, nil
}
