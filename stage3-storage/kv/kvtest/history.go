package kvtest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
)

var histories = []claim{
	{"CompactionForgetsHistoryButNoValue", compaction},
	{"AWatchAtTheCompactedRevisionIsAccepted", watchAtCompaction},
	{"AKeyOlderThanTheHistoryHasItsRevision", oldKeys},
	{"ALiveWatchIsNotDisturbedByCompaction", liveWatch},
	{"WritersGoOnDuringCompaction", writersGoOn},
	{"AKeyWithATimeToLiveIsDeleted", timeToLive},
}

func compact(t *testing.T, s kv.Store, rev int64) {
	t.Helper()
	if err := s.Compact(t.Context(), rev); err != nil {
		t.Fatalf("compacting to revision %d failed: %v", rev, err)
	}
}

func compaction(t *testing.T, s kv.Store) {
	put(t, s, "p/old", "kept", 0)
	a := put(t, s, "p/a", "1", 0)
	b := put(t, s, "p/a", "2", a)
	point := del(t, s, "p/b", put(t, s, "p/b", "1", 0))
	end := put(t, s, "p/a", "3", b)
	for range 2 { // the second time there is nothing to do
		compact(t, s, point)
	}
	compact(t, s, a) // nor for a point before
	for _, rev := range []int64{a, point - 1} {
		if _, err := s.Range(t.Context(), at(kv.Prefix("p/"), rev)); !errors.Is(err, kv.ErrCompacted) {
			t.Errorf("reading at revision %d after compaction to %d: got %v, want ErrCompacted", rev, point, err)
		}
	}
	for rev, want := range map[int64]string{point: "[p/a=2 p/old=kept]", end: "[p/a=3 p/old=kept]", 0: "[p/a=3 p/old=kept]"} {
		if got, _ := list(t, s, at(kv.Prefix("p/"), rev)); got != want {
			t.Errorf("as of revision %d after compaction to %d: got %s, want %s", rev, point, got, want)
		}
	}
	if got := watched(t, s, point, 1); got != "[p/a=3(2)]" {
		t.Errorf("the first event after the point still knows what was there before: got %s", got)
	}
}

func watchAtCompaction(t *testing.T, s kv.Store) {
	a := put(t, s, "p/a", "1", 0)
	b := put(t, s, "p/b", "1", 0)
	c := put(t, s, "p/c", "1", 0)
	point := del(t, s, "p/a", a)
	next := del(t, s, "p/b", b)
	put(t, s, "p/c", "2", c)
	compact(t, s, point)
	if events, err := take(t, s, point-1, 1); !errors.Is(err, kv.ErrCompacted) || len(events) > 0 {
		t.Errorf("a watch from before the point gets ErrCompacted and no event first: got %d events and %v", len(events), err)
	}
	if got := watched(t, s, point, 2); got != "[-p/b(1) p/c=2(1)]" {
		t.Errorf("a watch from the point, where p/a was deleted, begins with the deletion of p/b: got %s", got)
	}
	if got := watched(t, s, next, 1); got != "[p/c=2(1)]" {
		t.Errorf("a watch from behind the point begins with the change of p/c: got %s", got)
	}
}

func oldKeys(t *testing.T, s kv.Store) {
	rev := put(t, s, "p/old", "1", 0)
	gone := del(t, s, "p/x", put(t, s, "p/x", "1", 0))
	compact(t, s, gone)
	if got := get(t, s, "p/old"); got.Revision != rev || string(got.Value) != "1" {
		t.Errorf("the old key holds %q of revision %d, want 1 of %d", got.Value, got.Revision, rev)
	}
	if now := revision(t, s); now != gone {
		t.Errorf("compaction moved the revision from %d to %d", gone, now)
	}
	if again := put(t, s, "p/x", "2", 0); again <= gone {
		t.Errorf("a key whose deletion was forgotten was made again at revision %d, want more than %d", again, gone)
	}
	put(t, s, "p/old", "2", rev) // its revision is still a precondition
	if got := watched(t, s, gone, 2); got != "[p/x=2 p/old=2(1)]" {
		t.Errorf("a watch from the newest revision, to which all was compacted, saw %s", got)
	}
}

func liveWatch(t *testing.T, s kv.Store) {
	rev := put(t, s, "p/a", "0", 0)
	n := 0
	for ev, err := range s.Watch(patient(t), "p/", kv.PrefixEnd("p/"), rev-1) {
		if err != nil {
			t.Fatalf("the watch had seen everything up to the point of each compaction, and ended after %d events: %v", n, err)
		}
		if n++; n == 10 {
			break
		}
		compact(t, s, ev.KV.Revision)
		rev = put(t, s, "p/a", fmt.Sprint(n), rev)
	}
}

func writersGoOn(t *testing.T, s kv.Store) {
	from := revision(t, s)
	crowd(5, func(i int) {
		for n, rev := 0, int64(0); n < 60; n++ {
			var err error
			if i == 0 {
				now, _ := s.Revision(t.Context())
				err = s.Compact(t.Context(), max(now-50, from))
			} else {
				rev, err = s.Write(t.Context(), kv.Write{Key: fmt.Sprintf("p/%d", i), Value: fmt.Append(nil, n), IfRev: rev})
			}
			if err != nil {
				t.Errorf("goroutine %d, round %d: %v", i, n, err)
				return
			}
		}
	})
	compact(t, s, revision(t, s))
	if got, _ := list(t, s, kv.Prefix("p/")); got != "[p/1=59 p/2=59 p/3=59 p/4=59]" {
		t.Errorf("after all writes and compactions the store holds %s", got)
	}
}

// timeToLive: p/kept loses its time by an update and so outlives p/a, which was
// written later with the same one.
func timeToLive(t *testing.T, s kv.Store) {
	write := func(key string, ifRev int64, ttl time.Duration) int64 {
		rev, err := s.Write(t.Context(), kv.Write{Key: key, Value: []byte("1"), IfRev: ifRev, TTL: ttl})
		if err != nil {
			t.Fatal(err)
		}
		return rev
	}
	write("p/kept", write("p/kept", 0, time.Second), 0)
	rev := write("p/a", 0, time.Second)
	if got := watched(t, s, rev, 1); got != "[-p/a(1)]" {
		t.Errorf("a key that has lived its time is deleted and watchers hear of it: got %s", got)
	}
	if got, _ := list(t, s, kv.Prefix("p/")); got != "[p/kept=1]" {
		t.Errorf("what was written again without a time to live is kept: got %s", got)
	}
	put(t, s, "p/a", "2", 0)
}
