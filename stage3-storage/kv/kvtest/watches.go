package kvtest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kv"
)

var watches = []claim{
	{"AWatchReplaysHistoryAndGoesOn", watchReplays},
	{"AWatchFromZeroSeesEverything", watchFromZero},
	{"AWatchTellsWhatWasThereBefore", watchPrev},
	{"AWatchLosesNothingWhileOthersWrite", watchUnderLoad},
	{"AnEventComesNotBeforeItsRevision", watchNotAhead},
	{"AWatchFromARevisionToComeWaitsForIt", watchFuture},
	{"AWatchEndsWithItsContext", watchEnds},
	{"AWatchEndsWhenItsLoopBreaks", watchBreaks},
	{"AWatchEndsWhenTheStoreIsClosed", watchCloses},
	{"ASlowWatcherDelaysNobody", watchSlow},
	{"AWatchSaysHowFarItHasCome", watchProgress},
}

// watchProgress: whoever was told a revision can wait until a watch has come
// so far, although nothing changes under its prefix.
func watchProgress(t *testing.T, s kv.Store) {
	from := put(t, s, "p/a", "1", 0)
	put(t, s, "q/a", "other", 0)
	want := revision(t, s)
	for ev, err := range s.Watch(patient(t), "p/", kv.PrefixEnd("p/"), from) {
		if err != nil || ev.KV.Key != "" {
			t.Fatalf("nothing changed under p/ since revision %d, and the watch yields %s, %v", from, text(ev), err)
		}
		if ev.KV.Revision >= want {
			return
		}
	}
}

func watchReplays(t *testing.T, s kv.Store) {
	first := put(t, s, "p/a", "1", 0)
	second := put(t, s, "p/a", "2", first)
	put(t, s, "q/a", "other", 0)
	del(t, s, "p/a", second)
	later := make(chan error, 1)
	n := 0
	got := ""
	for ev, err := range watch(patient(t), s, first) {
		if err != nil {
			t.Fatal(err)
		}
		got += text(ev) + " "
		if n++; n == 2 { // history is through, the rest is new
			go func() {
				_, err := s.Write(t.Context(), kv.Write{Key: "p/b", Value: []byte("live")})
				later <- err
			}()
		}
		if n == 3 {
			break
		}
	}
	if err := <-later; err != nil {
		t.Fatal(err)
	}
	if want := "p/a=2(1) -p/a(2) p/b=live "; got != want {
		t.Errorf("the watch from revision %d saw %q, want %q", first, got, want)
	}
}

func watchFromZero(t *testing.T, s kv.Store) {
	put(t, s, "p/a", "1", put(t, s, "p/a", "0", 0))
	if got := watched(t, s, 0, 2); got != "[p/a=0 p/a=1(0)]" {
		t.Errorf("a watch from revision 0 of a store that forgot nothing sees everything, but it saw %s", got)
	}
}

func watchPrev(t *testing.T, s kv.Store) {
	from := revision(t, s)
	a := put(t, s, "p/a", "1", 0)
	b := put(t, s, "p/a", "", a)
	c := del(t, s, "p/a", b)
	d := put(t, s, "p/a", "3", 0)
	events, err := take(t, s, from, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		text      string
		rev, prev int64
	}{{"p/a=1", a, 0}, {"p/a=(1)", b, a}, {"-p/a()", c, b}, {"p/a=3", d, 0}} {
		ev, prev := events[i], int64(0)
		if ev.Prev != nil {
			prev = ev.Prev.Revision
		}
		if text(ev) != want.text || ev.KV.Revision != want.rev || prev != want.prev {
			t.Errorf("event %d is %s at revision %d, before it revision %d; want %s at %d, before it %d",
				i, text(ev), ev.KV.Revision, prev, want.text, want.rev, want.prev)
		}
	}
	if events[2].KV.Value != nil {
		t.Errorf("a deletion has no value, got %q", events[2].KV.Value)
	}
}

// watchUnderLoad starts watchers before, amid and after the writers: all must
// see the same.
func watchUnderLoad(t *testing.T, s kv.Store) {
	const writers, each, watchers = 8, 30, 4
	from := revision(t, s)
	halfway := make(chan struct{})
	seen := make([]map[int64]string, watchers)
	crowd(writers+watchers, func(i int) {
		if i >= writers {
			if i%2 == 0 {
				<-halfway
			}
			seen[i-writers] = watchAll(t, s, from, writers*each)
			return
		}
		for n := range each {
			if i == 0 && n == each/2 {
				close(halfway)
			}
			if _, err := s.Write(t.Context(), kv.Write{Key: fmt.Sprintf("p/%d-%d", i, n), Value: []byte("v")}); err != nil {
				t.Errorf("write: %v", err)
			}
		}
	})
	_, res := list(t, s, kv.Prefix("p/"))
	for w, events := range append(seen, watchAll(t, s, from, writers*each)) {
		for _, k := range res.KVs {
			if events[k.Revision] != k.Key {
				t.Errorf("watcher %d saw %q at revision %d, but the list has %s there", w, events[k.Revision], k.Revision, k.Key)
			}
		}
	}
}

// watchAll is the keys of n events by their revisions, which must rise.
func watchAll(t *testing.T, s kv.Store, from int64, n int) map[int64]string {
	events, err := take(t, s, from, n)
	if err != nil {
		t.Errorf("the watch ended after %d of %d events: %v", len(events), n, err)
	}
	keys, last := map[int64]string{}, from
	for _, ev := range events {
		if ev.KV.Revision <= last {
			t.Errorf("the watch saw revision %d after %d", ev.KV.Revision, last)
		}
		last = ev.KV.Revision
		keys[last] = ev.KV.Key
	}
	return keys
}

// watchNotAhead: a client that asks for the revision after it saw an event gets
// no older one.
func watchNotAhead(t *testing.T, s kv.Store) {
	from := revision(t, s)
	crowd(5, func(i int) {
		if i > 0 {
			for n := range 100 {
				if _, err := s.Write(t.Context(), kv.Write{Key: fmt.Sprintf("p/%d-%d", i, n)}); err != nil {
					t.Errorf("write: %v", err)
				}
			}
			return
		}
		n := 0
		for ev, err := range watch(patient(t), s, from) {
			now, revErr := s.Revision(t.Context())
			if err != nil || revErr != nil || now < ev.KV.Revision {
				t.Errorf("a watch told of revision %d, then the store said that it is at %d (%v, %v)", ev.KV.Revision, now, err, revErr)
			}
			if n++; n == 400 || err != nil {
				break
			}
		}
	})
}

func watchFuture(t *testing.T, s kv.Store) {
	toCome := put(t, s, "p/a", "1", 0) + 2
	got := make(chan string, 1)
	go func() { got <- watched(t, s, toCome, 1) }()
	want := ""
	for i := 0; want == ""; i++ {
		if key := fmt.Sprintf("p/%d", i); put(t, s, key, "1", 0) > toCome {
			want = "[" + key + "=1]" // the first behind it
		}
	}
	if got := <-got; got != want {
		t.Errorf("a watch from revision %d, which was still to come, saw %s, want %s", toCome, got, want)
	}
}

func watchEnds(t *testing.T, s kv.Store) {
	rev := revision(t, s)
	put(t, s, "p/a", "1", 0)
	put(t, s, "p/b", "1", 0)
	put(t, s, "p/c", "1", 0)
	ctx, cancel := context.WithCancel(patient(t))
	defer cancel()
	var got []string
	for ev, err := range watch(ctx, s, rev) {
		if err != nil {
			got = append(got, fmt.Sprint(errors.Is(err, context.Canceled)))
			continue
		}
		got = append(got, text(ev))
		if len(got) == 2 {
			cancel() // although there is more
		}
	}
	if fmt.Sprint(got) != "[p/a=1 p/b=1 true]" {
		t.Errorf("a watch whose context ends yields the context's error, last and once: got %v", got)
	}
}

func watchBreaks(t *testing.T, s kv.Store) {
	rev := put(t, s, "p/a", "1", 0)
	put(t, s, "p/b", "1", put(t, s, "p/b", "0", 0))
	watch := watch(patient(t), s, rev)
	for round := range 2 {
		for ev, err := range watch {
			if err != nil || text(ev) != "p/b=0" {
				t.Errorf("round %d: a watch can be looped over again, from where it began: got %s, %v", round, text(ev), err)
			}
			break
		}
	}
	put(t, s, "p/c", "1", 0) // nothing is held up by the watch that was left
}

func watchCloses(t *testing.T, s kv.Store) {
	rev := revision(t, s)
	put(t, s, "p/a", "1", 0)
	closed := make(chan error, 1)
	var last error
	for _, err := range watch(patient(t), s, rev) {
		if last = err; err == nil {
			go func() { closed <- s.Close() }()
		}
	}
	if err := <-closed; err != nil || !errors.Is(last, kv.ErrClosed) {
		t.Errorf("the last of a watch on a closed store: got %v, want ErrClosed (closing: %v)", last, err)
	}
}

func watchSlow(t *testing.T, s kv.Store) {
	rev := put(t, s, "p/a", "0", 0)
	n := int64(0)
	for ev, err := range watch(patient(t), s, rev-1) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 1 { // writes, reads and compaction go on while this watcher has not taken the next event
			for i := range 300 {
				rev = put(t, s, "p/a", fmt.Sprint(i), rev)
			}
			if err := s.Compact(t.Context(), ev.KV.Revision); err != nil {
				t.Fatal(err)
			}
			list(t, s, kv.Prefix("p/"))
		}
		if ev.KV.Revision == rev {
			break
		}
	}
	if n != 301 {
		t.Errorf("a slow watcher saw %d events, want 301", n)
	}
}
