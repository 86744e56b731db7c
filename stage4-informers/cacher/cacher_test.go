package cacher_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage4-informers/cacher"
	"example.com/kube-apiserver/stage4-informers/wire/events"
	"github.com/google/go-cmp/cmp"
)

// counting is an engine that counts how often it is read from disk.
type counting struct {
	*bboltkv.Store
	reads  atomic.Int64
	broken atomic.Bool
}

func (c *counting) Get(ctx context.Context, key string) (kv.KV, error) {
	c.reads.Add(1)
	return c.Store.Get(ctx, key)
}

func (c *counting) Range(ctx context.Context, r kv.Range) (kv.Result, error) {
	c.reads.Add(1)
	if c.broken.Load() {
		return kv.Result{}, errors.New("the disk is gone")
	}
	return c.Store.Range(ctx, r)
}

func openEngine(t testing.TB, o bboltkv.Options) *counting {
	t.Helper()
	if o.Path == "" {
		o.Path = filepath.Join(t.TempDir(), "state.db")
	}
	s, err := bboltkv.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &counting{Store: s}
}

// inFrontOf is the Cacher of the objects under /p, with its cache filled.
func inFrontOf(t testing.TB, engine kv.Store) storage.Interface {
	t.Helper()
	cachers := cacher.New(events.UntilBookmark)
	t.Cleanup(cachers.Stop)
	c := cachers.Decorate(storage.New(engine), "/p")
	if _, err := c.Get(t.Context(), "/p/none"); !errors.Is(err, kv.ErrNotFound) {
		t.Fatalf("a Cacher of an empty store has no /p/none, got %v", err)
	}
	return c
}

func named(name, value string) *object.Object {
	return &object.Object{APIVersion: "v1", Kind: "ConfigMap", Meta: object.Meta{Name: name}, Fields: map[string]any{"data": map[string]any{"k": value}}}
}

// set stores an object whatever is there; nil deletes.
func set(t testing.TB, s storage.Interface, key string, obj *object.Object) *object.Encoded {
	t.Helper()
	got, err := storage.GuaranteedUpdate(t.Context(), s, key, func(*object.Encoded) (*object.Object, time.Duration, error) { return obj, 0, nil })
	if err != nil {
		t.Errorf("storing %s: %v", key, err)
	}
	return got
}

func list(t testing.TB, s storage.Interface, opts storage.ListOptions) storage.List {
	t.Helper()
	got, err := s.List(t.Context(), "/p/", opts)
	if err != nil {
		t.Fatalf("a list with %+v: %v", opts, err)
	}
	return got
}

// text is a list as text: each key with the revision of its object.
func text(l storage.List) (texts []string) {
	for i, key := range l.Keys {
		texts = append(texts, fmt.Sprint(key, "@", l.Items[i].Revision()))
	}
	return texts
}

func TestAFreshReadTouchesNoDisk(t *testing.T) {
	engine := openEngine(t, bboltkv.Options{})
	c := inFrontOf(t, engine)
	for i := range 10 {
		set(t, c, fmt.Sprint("/p/", i), named("a", "1"))
	}
	then := list(t, c, storage.ListOptions{})
	set(t, c, "/p/3", named("a", "2"))
	set(t, c, "/p/4", nil)
	set(t, storage.New(engine), "/q/other", named("a", "1"))
	before := engine.reads.Load()
	got, err := c.Get(t.Context(), "/p/3")
	if err != nil || !strings.Contains(string(got.JSON()), `"k":"2"`) {
		t.Errorf("the object as it was written last: got %s, %v", got.JSON(), err)
	}
	if _, err := c.Get(t.Context(), "/p/4"); !errors.Is(err, kv.ErrNotFound) {
		t.Errorf("a deleted object: got %v, want ErrNotFound", err)
	}
	if now := list(t, c, storage.ListOptions{}); len(now.Items) != 9 {
		t.Errorf("nine objects are left, the list has %v", text(now))
	}
	past := list(t, c, storage.ListOptions{Revision: then.Revision})
	if d := cmp.Diff(text(then), text(past)); d != "" {
		t.Errorf("a list of a revision that has passed (-then +now):\n%s", d)
	}
	page := list(t, c, storage.ListOptions{Revision: then.Revision, Start: "/p/2\x00", Limit: 3})
	if d := cmp.Diff(text(then)[3:6], text(page)); d != "" || page.Remaining != 4 {
		t.Errorf("a page of that revision has three objects and four behind them, not %d (-want +got):\n%s", page.Remaining, d)
	}
	if _, err := c.List(t.Context(), "/p/", storage.ListOptions{Revision: past.Revision + 100}); !errors.Is(err, kv.ErrFuture) {
		t.Errorf("a list of a revision to come: got %v, want ErrFuture", err)
	}
	if n := engine.reads.Load() - before; n != 0 {
		t.Errorf("all that is in memory, and the disk was read %d times", n)
	}
}

// Each list must be what the store itself has at that revision, in the midst of
// writes, whatever the moment.
func TestAListIsFromOneRevision(t *testing.T) {
	engine := openEngine(t, bboltkv.Options{})
	c, direct := inFrontOf(t, engine), storage.New(engine)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				key := fmt.Sprintf("/p/%d-%d", w, i%20)
				set(t, c, key, named("a", fmt.Sprint(i)))
				if i%3 == 0 {
					set(t, c, key, nil)
				}
			}
		})
	}
	revisions := []int64{}
	for len(revisions) < 60 {
		got := list(t, c, storage.ListOptions{})
		if len(revisions) > 0 && revisions[len(revisions)-1] == got.Revision {
			continue // nobody wrote meanwhile
		}
		revisions = append(revisions, got.Revision)
		for _, rev := range []int64{got.Revision, revisions[len(revisions)/2]} {
			have, want := list(t, c, storage.ListOptions{Revision: rev}), list(t, direct, storage.ListOptions{Revision: rev})
			if d := cmp.Diff(text(want), text(have)); d != "" {
				t.Errorf("at revision %d of %d the cache has something else than the store (-store +cache):\n%s", rev, got.Revision, d)
			}
		}
	}
	close(stop)
	writers.Wait()
	if !slices.IsSorted(revisions) {
		t.Errorf("lists that follow each other have the revisions %v", revisions)
	}
}

// The second engine does not tell; there the reader waits.
func TestAReadSeesEveryAcknowledgedWrite(t *testing.T) {
	for name, engine := range map[string]kv.Store{
		"an engine that tells":          openEngine(t, bboltkv.Options{}),
		"an engine that is asked again": struct{ kv.Store }{openEngine(t, bboltkv.Options{})},
	} {
		t.Run(name, func(t *testing.T) {
			c := inFrontOf(t, engine)
			var writers sync.WaitGroup
			for w := range 4 {
				writers.Go(func() {
					for i := range 25 {
						key := fmt.Sprintf("/p/%d-%d", w, i)
						wrote := set(t, c, key, named("a", "1"))
						set(t, storage.New(engine), fmt.Sprintf("/q/%d-%d", w, i), named("a", "1")) // the cache of /p hears nothing of it
						got, err := c.Get(t.Context(), key)
						if err != nil || got.Revision() != wrote.Revision() {
							t.Errorf("%s was written as revision %d and then read: %v, %v", key, wrote.Revision(), got, err)
						}
						if all := list(t, c, storage.ListOptions{}); !slices.Contains(all.Keys, key) {
							t.Errorf("%s was written, and a list of revision %d does not have it", key, all.Revision)
						}
					}
				})
			}
			writers.Wait()
		})
	}
}

func TestAWriterNeverWaitsForAWatcher(t *testing.T) {
	const writes = 10_000
	engine := openEngine(t, bboltkv.Options{})
	c := inFrontOf(t, engine)
	from := set(t, c, "/p/a", named("a", "1")).Revision()
	set(t, c, "/p/a", named("a", "2"))
	next, stop := pull(c.Watch(t.Context(), "/p/", from))
	defer stop()
	if ev, err := next(); err != nil || ev.Type != storage.Modified {
		t.Fatalf("the watcher's first event: %+v, %v", ev, err)
	}
	var writers sync.WaitGroup // from now on the watcher reads nothing
	value := strings.Repeat("v", 1000)
	for w := range 50 {
		writers.Go(func() {
			for i := range writes / 50 {
				set(t, c, fmt.Sprint("/p/", w), named("a", fmt.Sprint(value, i)))
			}
		})
	}
	writers.Wait()
	now, err := c.Revision(t.Context())
	if err != nil || now < from+writes {
		t.Fatalf("after %d writes the store is at revision %d (%v)", writes, now, err)
	}
	if err := engine.Compact(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for {
		if _, err = next(); err != nil {
			break
		}
		seen++
	}
	if !errors.Is(err, kv.ErrCompacted) || seen > 300 {
		t.Errorf("the watcher has fallen behind the memory and the history: after %d events it gets %v, want ErrCompacted", seen, err)
	}
}

// pull turns a watch into a function that returns its next event.
func pull(watch func(func(storage.Event, error) bool)) (next func() (storage.Event, error), stop func()) {
	type pair struct {
		ev  storage.Event
		err error
	}
	ask, answer := make(chan struct{}), make(chan pair)
	go func() {
		defer close(answer)
		if _, more := <-ask; !more {
			return
		}
		for ev, err := range watch {
			answer <- pair{ev, err}
			if _, more := <-ask; !more {
				return
			}
		}
	}()
	return func() (storage.Event, error) {
		ask <- struct{}{}
		p := <-answer
		return p.ev, p.err
	}, func() { close(ask) }
}

// watched is the next n events after a revision as text, without bookmarks.
func watched(t testing.TB, c storage.Interface, rev int64, n int) (texts []string) {
	t.Helper()
	for ev, err := range c.Watch(t.Context(), "/p/", rev) {
		if err != nil {
			t.Fatalf("the watch from revision %d ended after %v: %v", rev, texts, err)
		}
		if ev.Type == storage.Bookmark {
			continue
		}
		prev := int64(0)
		if ev.Prev != nil {
			prev = ev.Prev.Revision()
		}
		if texts = append(texts, fmt.Sprintf("%s %s@%d before %d", ev.Type, ev.Key, ev.Revision, prev)); len(texts) == n {
			break
		}
	}
	return texts
}

func TestAWatchGoesOnAfterARestartWithoutGapOrReplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	engine := openEngine(t, bboltkv.Options{Path: path})
	c := inFrontOf(t, engine)
	seen := set(t, c, "/p/a", named("a", "1")).Revision()
	set(t, c, "/p/b", named("b", "1"))
	set(t, c, "/p/a", named("a", "2"))
	want := watched(t, c, seen, 2)
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	engine = openEngine(t, bboltkv.Options{Path: path})
	cachers := cacher.New(events.UntilBookmark)
	t.Cleanup(cachers.Stop)
	c = cachers.Decorate(storage.New(engine), "/p")
	set(t, c, "/p/b", nil)
	want = append(want, fmt.Sprintf("DELETED /p/b@%d before %d", seen+3, seen+1))
	if d := cmp.Diff(want, watched(t, c, seen, 3)); d != "" {
		t.Errorf("a watch from before the restart (-want +got):\n%s", d)
	}
	before := engine.reads.Load()
	if got := watched(t, c, seen+2, 1); got[0] != want[2] {
		t.Errorf("a watch from the restart on: got %s, want %s", got, want[2])
	}
	if engine.reads.Load() != before {
		t.Error("what happened since the start is in memory, and the disk was read")
	}
}

func TestAnIdleWatcherIsToldHowFarTheStreamHasCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock jumps as soon as everybody waits
		engine := openEngine(t, bboltkv.Options{})
		c := inFrontOf(t, engine)
		from := set(t, c, "/p/a", named("a", "1")).Revision()
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 150*time.Second)
		defer cancel()
		var told []time.Duration
		for ev, err := range c.Watch(ctx, "/p/", from) {
			if err != nil {
				break
			}
			if want := from + int64(len(told)); ev.Type != storage.Bookmark || ev.Revision != want {
				t.Errorf("nothing happened under /p since revision %d, and the watcher gets %+v, want a bookmark of %d", from, ev, want)
			}
			told = append(told, time.Since(start))
			set(t, storage.New(engine), "/q/other", named("other", fmt.Sprint(len(told))))
		}
		if len(told) != 3 || told[0] > time.Minute || told[2] != 148*time.Second {
			t.Errorf("bookmarks came after %v, want about one a minute and the last two seconds before the end", told)
		}
	})
}

func TestWithoutACacheTheStoreAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := openEngine(t, bboltkv.Options{})
		engine.broken.Store(true)
		cachers := cacher.New(events.UntilBookmark)
		defer cachers.Stop()
		c := cachers.Decorate(storage.New(engine), "/p")
		synctest.Wait() // until the first attempt to fill it has failed
		start := time.Now()
		wrote := set(t, c, "/p/a", named("a", "1"))
		if got, err := c.Get(t.Context(), "/p/a"); err != nil || got.Revision() != wrote.Revision() {
			t.Errorf("the cache could not be filled, and a Get gives %v, %v", got, err)
		}
		if _, err := c.List(t.Context(), "/p/", storage.ListOptions{}); err == nil || err.Error() != "the disk is gone" {
			t.Errorf("a list says what the store says, got %v", err)
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("it is known that there is no cache, so nobody waits for it; they waited %v", waited)
		}
		engine.broken.Store(false)
		<-time.After(2 * time.Second)
		before := engine.reads.Load()
		if got := list(t, c, storage.ListOptions{}); len(got.Items) != 1 || engine.reads.Load() != before {
			t.Errorf("the disk is back, and so should be the cache: %d objects, %d reads", len(got.Items), engine.reads.Load()-before)
		}
	})
}

func TestTheLogShrinksWhenNothingHappensAnyMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := openEngine(t, bboltkv.Options{})
		cachers := cacher.New(events.UntilBookmark)
		defer cachers.Stop()
		c := cachers.Decorate(storage.New(engine), "/p")
		first := set(t, c, "/p/a", named("a", "1")).Revision()
		set(t, c, "/p/a", named("a", "2"))
		past := func() (reads int64) {
			before := engine.reads.Load()
			if got := list(t, c, storage.ListOptions{Revision: first}); len(got.Items) != 1 || got.Items[0].Revision() != first {
				t.Errorf("a list of revision %d has %d objects, want the one of then", first, len(got.Items))
			}
			return engine.reads.Load() - before
		}
		if n := past(); n != 0 {
			t.Errorf("what has just changed is remembered; a list of before read the disk %d times", n)
		}
		<-time.After(3 * time.Minute) // of the test's own clock
		if n := past(); n != 1 {
			t.Errorf("after minutes without a change the log has let go of the old ones, and the store answers; it was read %d times", n)
		}
	})
}

func TestTwoKindsOfTheSameObjectsShareACacher(t *testing.T) {
	cachers := cacher.New(events.UntilBookmark)
	t.Cleanup(cachers.Stop)
	store := storage.New(openEngine(t, bboltkv.Options{}))
	if cachers.Decorate(store, "/p") != cachers.Decorate(store, "/p") || cachers.Decorate(store, "/p") == cachers.Decorate(store, "/q") {
		t.Error("one prefix is one Cacher")
	}
}

func BenchmarkList(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint("objects=", n), func(b *testing.B) {
			c := inFrontOf(b, openEngine(b, bboltkv.Options{}))
			var writers sync.WaitGroup
			for w := range 50 {
				writers.Go(func() {
					for i := range n / 50 {
						set(b, c, fmt.Sprintf("/p/%d/%d", w, i), named("a", "1"))
					}
				})
			}
			writers.Wait()
			match := func(e *object.Encoded) bool { return len(e.Labels()) > 0 }
			for b.Loop() {
				list(b, c, storage.ListOptions{Match: match})
			}
		})
	}
}
