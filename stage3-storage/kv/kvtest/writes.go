package kvtest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kv"
)

var writes = []claim{
	{"PreconditionsDecide", preconditionsDecide},
	{"ARefusedWriteChangesNothing", refusedChangesNothing},
	{"ADeletedKeyCanBeMadeAgain", madeAgain},
	{"EveryWriteHasAHigherRevision", revisionsRise},
	{"NoTwoWritesShareARevision", noSharedRevision},
	{"AnAcknowledgedWriteIsSeenByEveryReader", acknowledgedIsSeen},
	{"OnlyOneOfManyWritersWins", oneWins},
	{"AClosedStoreRefusesEverything", closedRefuses},
}

func preconditionsDecide(t *testing.T, s kv.Store) {
	old := put(t, s, "a", "1", 0)
	put(t, s, "a", "2", old)
	put(t, s, "gone", "1", 0)
	gone := get(t, s, "gone").Revision
	del(t, s, "gone", gone)
	for _, c := range []struct {
		what  string
		write kv.Write
		want  error
	}{
		{"creating a key that exists", kv.Write{Key: "a"}, kv.ErrExists},
		{"updating a key that never existed", kv.Write{Key: "b", IfRev: 1}, kv.ErrNotFound},
		{"updating a key that was deleted", kv.Write{Key: "gone", IfRev: gone}, kv.ErrNotFound},
		{"updating with an old revision", kv.Write{Key: "a", IfRev: old}, kv.ErrConflict},
		{"updating with a revision that is still to come", kv.Write{Key: "a", IfRev: 1 << 40}, kv.ErrConflict},
		{"deleting a key that never existed", kv.Write{Key: "b", IfRev: 1, Delete: true}, kv.ErrNotFound},
		{"deleting a key that was deleted", kv.Write{Key: "gone", IfRev: gone, Delete: true}, kv.ErrNotFound},
		{"deleting with an old revision", kv.Write{Key: "a", IfRev: old, Delete: true}, kv.ErrConflict},
		{"deleting without a revision a key that exists", kv.Write{Key: "a", Delete: true}, kv.ErrExists},
		{"deleting without a revision a key that does not exist", kv.Write{Key: "b", Delete: true}, kv.ErrNotFound},
	} {
		if _, err := s.Write(t.Context(), c.write); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.what, err, c.want)
		}
	}
	if _, err := s.Get(t.Context(), "gone"); !errors.Is(err, kv.ErrNotFound) {
		t.Errorf("reading a deleted key: got %v, want ErrNotFound", err)
	}
	if _, err := s.Get(t.Context(), "b"); !errors.Is(err, kv.ErrNotFound) {
		t.Errorf("reading a key that never existed: got %v, want ErrNotFound", err)
	}
}

func refusedChangesNothing(t *testing.T, s kv.Store) {
	rev := put(t, s, "p/a", "1", 0)
	for _, w := range []kv.Write{{Key: "p/a", Value: []byte("2")}, {Key: "p/a", Delete: true, IfRev: rev - 1}, {Key: "p/b", IfRev: rev}} {
		if _, err := s.Write(t.Context(), w); err == nil {
			t.Fatalf("the write %+v was not refused", w)
		}
	}
	put(t, s, "p/c", "1", 0)
	if got, _ := list(t, s, kv.Prefix("p/")); got != "[p/a=1 p/c=1]" {
		t.Errorf("after refused writes the store holds %s, want what was there before them and what came after", got)
	}
	if got := watched(t, s, rev, 1); got != "[p/c=1]" {
		t.Errorf("refused writes make no events, but a watch saw %s", got)
	}
}

func madeAgain(t *testing.T, s kv.Store) {
	first := put(t, s, "p/a", "1", 0)
	gone := del(t, s, "p/a", first)
	again := put(t, s, "p/a", "2", 0)
	if again <= gone || gone <= first {
		t.Errorf("made, deleted and made again at the revisions %d, %d and %d, which should rise", first, gone, again)
	}
	if got := get(t, s, "p/a"); string(got.Value) != "2" || got.Revision != again {
		t.Errorf("the key that was made again holds %q of revision %d, want 2 of %d", got.Value, got.Revision, again)
	}
	if got := watched(t, s, first-1, 3); got != "[p/a=1 -p/a(1) p/a=2]" {
		t.Errorf("the second life of a key has nothing before it, but a watch saw %s", got)
	}
}

func revisionsRise(t *testing.T, s kv.Store) {
	last := revision(t, s)
	if last < 1 {
		t.Fatalf("an empty store is at revision %d, want at least 1", last)
	}
	rev := put(t, s, "a", "0", 0)
	for i := range 20 {
		if rev <= last {
			t.Fatalf("revision %d came after %d", rev, last)
		}
		if now := revision(t, s); now != rev {
			t.Fatalf("the only writer got revision %d, but the store is at %d", rev, now)
		}
		last, rev = rev, put(t, s, "a", fmt.Sprint(i), rev)
	}
}

// crowd calls f from n goroutines and waits for them.
func crowd(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func noSharedRevision(t *testing.T, s kv.Store) {
	const writers, each = 16, 20
	var mu sync.Mutex
	owner := map[int64]string{}
	crowd(writers, func(w int) {
		last := int64(0)
		for i := range each {
			key := fmt.Sprintf("p/%d-%d", w, i)
			rev, err := s.Write(t.Context(), kv.Write{Key: key, Value: []byte(key)})
			if err != nil || rev <= last {
				t.Errorf("writer %d got revision %d after %d (%v)", w, rev, last, err)
				return
			}
			last = rev
			mu.Lock()
			if other := owner[rev]; other != "" {
				t.Errorf("%s and %s have the same revision %d", key, other, rev)
			}
			owner[rev] = key
			mu.Unlock()
		}
	})
	_, res := list(t, s, kv.Prefix("p/"))
	for _, k := range res.KVs {
		if owner[k.Revision] != k.Key || string(k.Value) != k.Key {
			t.Errorf("%s was listed with the value %q and the revision %d, which was acknowledged to %q", k.Key, k.Value, k.Revision, owner[k.Revision])
		}
	}
	if len(res.KVs) != writers*each {
		t.Errorf("%d writes were acknowledged, and %d keys are there", writers*each, len(res.KVs))
	}
}

func acknowledgedIsSeen(t *testing.T, s kv.Store) {
	crowd(8, func(w int) {
		key, rev := fmt.Sprintf("p/%d", w), int64(0)
		for range 30 {
			var err error
			if rev, err = s.Write(t.Context(), kv.Write{Key: key, Value: []byte("x"), IfRev: rev}); err != nil {
				t.Errorf("write: %v", err)
				return
			}
			now, err := s.Revision(t.Context())
			if err != nil || now < rev {
				t.Errorf("revision %d was acknowledged, then the store said that it is at %d (%v)", rev, now, err)
			}
			if got, err := s.Get(t.Context(), key); err != nil || got.Revision != rev {
				t.Errorf("revision %d of %s was acknowledged, then it was read with revision %d (%v)", rev, key, got.Revision, err)
			}
			if res, err := s.Range(t.Context(), kv.Prefix(key)); err != nil || len(res.KVs) != 1 || res.KVs[0].Revision != rev {
				t.Errorf("revision %d of %s was acknowledged, then it was listed as %v (%v)", rev, key, res.KVs, err)
			}
		}
	})
}

func oneWins(t *testing.T, s kv.Store) {
	rev := int64(0) // the first round is who creates it
	for round := range 12 {
		won := make(chan int64, 16)
		crowd(cap(won), func(int) {
			r, err := s.Write(t.Context(), kv.Write{Key: "a", Value: []byte("x"), IfRev: rev})
			switch {
			case err == nil:
				won <- r
			case !errors.Is(err, kv.ErrConflict) && !errors.Is(err, kv.ErrExists):
				t.Errorf("a writer that lost got %v, want ErrConflict or ErrExists", err)
			}
		})
		if len(won) != 1 {
			t.Fatalf("round %d: %d writers with the same precondition won, want 1", round, len(won))
		}
		rev = <-won
	}
}

func closedRefuses(t *testing.T, s kv.Store) {
	rev := put(t, s, "p/a", "1", 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, writeErr := s.Write(t.Context(), kv.Write{Key: "p/b"})
	_, getErr := s.Get(t.Context(), "p/a")
	_, rangeErr := s.Range(t.Context(), kv.Prefix("p/"))
	_, watchErr := take(t, s, rev, 1)
	for what, err := range map[string]error{"write": writeErr, "get": getErr, "range": rangeErr, "watch": watchErr} {
		if !errors.Is(err, kv.ErrClosed) {
			t.Errorf("%s on a closed store: got %v, want ErrClosed", what, err)
		}
	}
}
