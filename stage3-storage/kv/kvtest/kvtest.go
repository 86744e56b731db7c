package kvtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
)

// Run proves the contract on stores that open makes, a new and empty one each time.
func Run(t *testing.T, open func(t *testing.T) kv.Store) {
	for _, claim := range []struct {
		name string
		test func(*testing.T, kv.Store)
	}{
		{"PreconditionsDecide", preconditionsDecide},
		{"RevisionsRiseByEveryWrite", revisionsRise},
		{"OnlyOneOfManyWritersWins", oneWins},
		{"RangeIsOrderedAndBounded", rangeIsOrdered},
		{"ARangeSeesOneRevision", rangeAtRevision},
		{"AFutureRevisionIsRefused", future},
		{"WatchReplaysHistoryAndGoesOn", watchReplays},
		{"WatchLosesNothingWhileOthersWrite", watchUnderLoad},
		{"WatchTellsWhatWasThereBefore", watchPrev},
		{"WatchEndsWithItsContext", watchEnds},
		{"CompactionForgetsHistoryButNoValue", compaction},
		{"WatchAtTheCompactedRevisionIsAccepted", watchAtCompaction},
		{"AKeyWithATimeToLiveIsDeleted", ttl},
	} {
		t.Run(claim.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Errorf("closing the store: %v", err)
				}
			})
			claim.test(t, s)
		})
	}
}

func put(t *testing.T, s kv.Store, key, value string, ifRev int64) int64 {
	t.Helper()
	rev, err := s.Write(t.Context(), kv.Write{Key: key, Value: []byte(value), IfRev: ifRev})
	if err != nil {
		t.Fatalf("write of %s at revision %d: %v", key, ifRev, err)
	}
	return rev
}

func del(t *testing.T, s kv.Store, key string, ifRev int64) int64 {
	t.Helper()
	rev, err := s.Write(t.Context(), kv.Write{Key: key, Delete: true, IfRev: ifRev})
	if err != nil {
		t.Fatalf("deletion of %s at revision %d: %v", key, ifRev, err)
	}
	return rev
}

func preconditionsDecide(t *testing.T, s kv.Store) {
	rev := put(t, s, "a", "1", 0)
	for _, c := range []struct {
		what  string
		write kv.Write
		want  error
	}{
		{"creating a key that exists", kv.Write{Key: "a"}, kv.ErrExists},
		{"updating a key that does not exist", kv.Write{Key: "b", IfRev: 1}, kv.ErrNotFound},
		{"deleting a key that does not exist", kv.Write{Key: "b", IfRev: 1, Delete: true}, kv.ErrNotFound},
		{"updating with an old revision", kv.Write{Key: "a", IfRev: rev - 1}, kv.ErrConflict},
		{"deleting with an old revision", kv.Write{Key: "a", IfRev: rev - 1, Delete: true}, kv.ErrConflict},
	} {
		if _, err := s.Write(t.Context(), c.write); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.what, err, c.want)
		}
	}
	if got, err := s.Get(t.Context(), "a"); err != nil || string(got.Value) != "1" || got.Revision != rev {
		t.Errorf("after refused writes the key is as it was: got %q at %d, %v", got.Value, got.Revision, err)
	}
	del(t, s, "a", rev)
	if _, err := s.Get(t.Context(), "a"); !errors.Is(err, kv.ErrNotFound) {
		t.Errorf("a deleted key is not found, got %v", err)
	}
	put(t, s, "a", "2", 0) // can be made again
}

func revisionsRise(t *testing.T, s kv.Store) {
	last, err := s.Revision(t.Context())
	if err != nil || last < 1 {
		t.Fatalf("an empty store has a revision of at least 1, got %d, %v", last, err)
	}
	for i := range 20 {
		rev := put(t, s, fmt.Sprintf("k%d", i), "v", 0)
		if rev <= last {
			t.Fatalf("revision %d came after %d", rev, last)
		}
		now, err := s.Revision(t.Context())
		if err != nil || now < rev {
			t.Fatalf("Revision() is %d after the write %d was acknowledged, %v", now, rev, err)
		}
		last = rev
	}
}

func oneWins(t *testing.T, s kv.Store) {
	rev := put(t, s, "a", "0", 0)
	for round := range 10 {
		var wg sync.WaitGroup
		won := make(chan int64, 16)
		for range cap(won) {
			wg.Go(func() {
				r, err := s.Write(t.Context(), kv.Write{Key: "a", Value: []byte("x"), IfRev: rev})
				switch {
				case err == nil:
					won <- r
				case !errors.Is(err, kv.ErrConflict):
					t.Errorf("a writer that lost got %v, want ErrConflict", err)
				}
			})
		}
		wg.Wait()
		if len(won) != 1 {
			t.Fatalf("round %d: %d writers with the same revision won, want 1", round, len(won))
		}
		rev = <-won
	}
}

func keysOf(res kv.Result) (keys []string) {
	for _, k := range res.KVs {
		keys = append(keys, k.Key+"="+string(k.Value))
	}
	return keys
}

func rangeIsOrdered(t *testing.T, s kv.Store) {
	for _, k := range []string{"dev/y", "dev-2/x", "dev/x", "dev2/x", "dev/x.y", "dev/x-y"} {
		put(t, s, k, "1", 0)
	}
	del(t, s, "dev/x-y", put(t, s, "dev/x-y", "2", mustGet(t, s, "dev/x-y").Revision))
	res, err := s.Range(t.Context(), kv.Prefix("dev/"))
	if got, want := fmt.Sprint(keysOf(res)), "[dev/x=1 dev/x.y=1 dev/y=1]"; err != nil || got != want {
		t.Errorf("the prefix dev/ holds its own keys, in the order of their bytes: got %s, want %s (%v)", got, want, err)
	}
	r := kv.Prefix("dev/")
	r.Limit = 2
	res, err = s.Range(t.Context(), r)
	if got, want := fmt.Sprint(keysOf(res), res.More), "[dev/x=1 dev/x.y=1] 1"; err != nil || got != want {
		t.Errorf("a limit of 2 says how many are left out: got %s, want %s (%v)", got, want, err)
	}
}

func mustGet(t *testing.T, s kv.Store, key string) kv.KV {
	t.Helper()
	got, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatalf("get %s: %v", key, err)
	}
	return got
}

func rangeAtRevision(t *testing.T, s kv.Store) {
	a := put(t, s, "p/a", "1", 0)
	b := put(t, s, "p/b", "1", 0)
	put(t, s, "p/a", "2", a)
	gone := del(t, s, "p/b", b)
	for _, c := range []struct {
		rev  int64
		want string
	}{{a, "[p/a=1]"}, {b, "[p/a=1 p/b=1]"}, {gone, "[p/a=2]"}, {0, "[p/a=2]"}} {
		r := kv.Prefix("p/")
		r.Revision = c.rev
		res, err := s.Range(t.Context(), r)
		if got := fmt.Sprint(keysOf(res)); err != nil || got != c.want {
			t.Errorf("as of revision %d: got %s, want %s (%v)", c.rev, got, c.want, err)
		}
		if c.rev != 0 && res.Revision != c.rev {
			t.Errorf("a range as of revision %d says it is of %d", c.rev, res.Revision)
		}
	}
}

func future(t *testing.T, s kv.Store) {
	rev := put(t, s, "a", "1", 0)
	r := kv.Prefix("a")
	r.Revision = rev + 1
	if _, err := s.Range(t.Context(), r); !errors.Is(err, kv.ErrFuture) {
		t.Errorf("revision %d has not been reached: got %v, want ErrFuture", r.Revision, err)
	}
}

// text writes an event so that tests can compare it.
func text(ev kv.Event) string {
	if ev.Deleted {
		return fmt.Sprintf("-%s", ev.KV.Key)
	}
	return fmt.Sprintf("%s=%s", ev.KV.Key, ev.KV.Value)
}

// take reads n events of the prefix p/ after rev.
func take(t *testing.T, s kv.Store, rev int64, n int) (events []kv.Event, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for ev, err := range s.Watch(ctx, "p/", kv.PrefixEnd("p/"), rev) {
		if err != nil {
			return events, err
		}
		events = append(events, ev)
		if len(events) == n {
			break
		}
	}
	return events, nil
}

func watchReplays(t *testing.T, s kv.Store) {
	first := put(t, s, "p/a", "1", 0)
	second := put(t, s, "p/a", "2", first)
	put(t, s, "q/a", "other", 0)
	del(t, s, "p/a", second)
	later := make(chan struct{})
	go func() {
		defer close(later)
		s.Write(context.Background(), kv.Write{Key: "p/b", Value: []byte("live")}) // its event proves that it worked
	}()
	events, err := take(t, s, first, 3)
	<-later
	got := ""
	for _, ev := range events {
		got += text(ev) + " "
	}
	if want := "p/a=2 -p/a p/b=live "; err != nil || got != want {
		t.Errorf("a watch from revision %d: got %q, want %q (%v)", first, got, want, err)
	}
}

func watchUnderLoad(t *testing.T, s kv.Store) {
	const writers, each = 8, 40
	from, err := s.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if _, err := s.Write(t.Context(), kv.Write{Key: fmt.Sprintf("p/%d-%d", w, i), Value: []byte("v")}); err != nil {
					t.Errorf("write: %v", err)
					return
				}
			}
		})
	}
	events, err := take(t, s, from, writers*each)
	wg.Wait()
	if err != nil {
		t.Fatal(err)
	}
	seen, last := map[string]bool{}, from
	for _, ev := range events {
		if ev.KV.Revision <= last {
			t.Fatalf("revision %d came after %d", ev.KV.Revision, last)
		}
		last = ev.KV.Revision
		seen[ev.KV.Key] = true
	}
	if len(seen) != writers*each {
		t.Errorf("the watch saw %d different keys, want %d: none twice, none lost", len(seen), writers*each)
	}
}

func watchPrev(t *testing.T, s kv.Store) {
	from, _ := s.Revision(t.Context())
	a := put(t, s, "p/a", "1", 0)
	b := put(t, s, "p/a", "2", a)
	c := del(t, s, "p/a", b)
	put(t, s, "p/a", "3", 0)
	events, err := take(t, s, from, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "1", "2", ""} {
		got := ""
		if events[i].Prev != nil {
			got = string(events[i].Prev.Value)
		}
		if got != want {
			t.Errorf("event %d (%s): before it the key held %q, got %q", i, text(events[i]), want, got)
		}
	}
	if events[2].KV.Revision != c {
		t.Errorf("a deletion has its own revision %d, got %d", c, events[2].KV.Revision)
	}
}

func watchEnds(t *testing.T, s kv.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range s.Watch(ctx, "p/", kv.PrefixEnd("p/"), 1) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("a watch whose context has ended says so, got %v", last)
	}
}

func compaction(t *testing.T, s kv.Store) {
	old := put(t, s, "p/old", "kept", 0)
	a := put(t, s, "p/a", "1", 0)
	b := put(t, s, "p/a", "2", a)
	gone := del(t, s, "p/b", put(t, s, "p/b", "1", 0))
	end := put(t, s, "p/a", "3", b)
	if err := s.Compact(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	r := kv.Prefix("p/")
	r.Revision = a
	if _, err := s.Range(t.Context(), r); !errors.Is(err, kv.ErrCompacted) {
		t.Errorf("revision %d was forgotten: got %v, want ErrCompacted", a, err)
	}
	for rev, want := range map[int64]string{gone: "[p/a=2 p/old=kept]", end: "[p/a=3 p/old=kept]"} {
		r.Revision = rev
		res, err := s.Range(t.Context(), r)
		if got := fmt.Sprint(keysOf(res)); err != nil || got != want {
			t.Errorf("as of revision %d: got %s, want %s (%v)", rev, got, want, err)
		}
	}
	if got := mustGet(t, s, "p/old"); got.Revision != old {
		t.Errorf("a value older than the history keeps its revision %d, got %d", old, got.Revision)
	}
}

func watchAtCompaction(t *testing.T, s kv.Store) {
	a := put(t, s, "p/a", "1", 0)
	at := del(t, s, "p/a", a) // exactly at the point
	put(t, s, "p/b", "1", 0)
	if err := s.Compact(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	if events, err := take(t, s, at-1, 1); !errors.Is(err, kv.ErrCompacted) || len(events) > 0 {
		t.Errorf("before the point: want only ErrCompacted, got %d events and %v", len(events), err)
	}
	events, err := take(t, s, at, 1)
	if err != nil || len(events) != 1 || text(events[0]) != "p/b=1" {
		t.Errorf("at the point a watch goes on with what comes after it, got %v, %v", events, err)
	}
}

func ttl(t *testing.T, s kv.Store) {
	rev, err := s.Write(t.Context(), kv.Write{Key: "p/a", Value: []byte("1"), TTL: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	events, err := take(t, s, rev, 1)
	if err != nil || len(events) != 1 || !events[0].Deleted {
		t.Errorf("a key that has lived its time is deleted, and watchers hear of it: got %v, %v", events, err)
	}
}
