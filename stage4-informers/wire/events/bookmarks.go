package events

import (
	"context"
	"math/rand/v2"
	"time"
)

// A watcher to which nothing happens is told about once a minute how far the
// stream has come, and a last time shortly before it ends: there it can resume,
// although history behind its last event may be gone by then.
const (
	bookmarkEvery  = time.Minute
	bookmarkBefore = 2 * time.Second
)

// UntilBookmark is how long it takes until the next bookmark. It is a cacher.Bookmarks.
func UntilBookmark(ctx context.Context) time.Duration {
	next := bookmarkEvery - rand.N(bookmarkEvery/10) // not all watchers in the same moment
	if end, ok := ctx.Deadline(); ok {
		if last := time.Until(end) - bookmarkBefore; last > 0 {
			return min(next, last)
		}
	}
	return next
}
