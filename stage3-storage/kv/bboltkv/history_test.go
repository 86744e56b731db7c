package bboltkv_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"go.etcd.io/bbolt"
)

// In a synctest bubble the clock jumps to the next timer as soon as everybody
// waits, and so these tests take hours in no time.

func TestAKeyIsDeletedWhenItsTimeComesAndNotBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := open(t, bboltkv.Options{})
		later := write(t, s, kv.Write{Key: "later", TTL: 2 * time.Hour})
		rev := write(t, s, kv.Write{Key: "sooner", TTL: time.Hour, Value: []byte("1")})
		for i, want := range []kv.KV{{Key: "sooner", Revision: rev}, {Key: "later", Revision: later}} {
			ev := events(t, s, rev, i+1)[i]
			if !ev.Deleted || ev.KV.Key != want.Key || ev.Prev == nil || ev.Prev.Revision != want.Revision {
				t.Errorf("event %d is %+v, want the deletion of %s", i, ev, want.Key)
			}
			if lived, want := time.Since(start), time.Duration(i+1)*time.Hour; lived != want {
				t.Errorf("%s lived for %v, want %v", ev.KV.Key, lived, want)
			}
		}
	})
}

func TestTimesToLiveOutliveARestart(t *testing.T) {
	const n = 1200 // more than one transaction takes
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "state.db")
		s := open(t, bboltkv.Options{Path: path})
		done := make(chan error)
		for i := range n {
			go func() {
				_, err := s.Write(t.Context(), kv.Write{Key: fmt.Sprint("event-", i), TTL: time.Minute})
				done <- err
			}()
		}
		for range n {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		kept := write(t, s, kv.Write{Key: "kept"})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Hour) // nobody is there when their time comes

		s = open(t, bboltkv.Options{Path: path})
		for _, ev := range events(t, s, kept, n) {
			if !ev.Deleted || ev.Prev == nil {
				t.Fatalf("after the restart came %+v, want only deletions", ev)
			}
		}
		if res, err := s.Range(t.Context(), kv.Range{End: "\xff"}); err != nil || len(res.KVs) != 1 || res.KVs[0].Key != "kept" {
			t.Errorf("after the restart there are %d keys (%v), want the one that has no time to live", len(res.KVs), err)
		}
	})
}

// count is how many entries a bucket of the file has.
func count(t *testing.T, s *bboltkv.Store, bucket string) (n int) {
	t.Helper()
	if err := s.File().View(func(tx *bbolt.Tx) error {
		n = tx.Bucket([]byte(bucket)).Inspect().KeyN
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAnUpdateTakesTheTimeToLiveAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, bboltkv.Options{})
		rev := write(t, s, kv.Write{Key: "a", TTL: time.Hour})
		rev = write(t, s, kv.Write{Key: "a", TTL: 3 * time.Hour, IfRev: rev})
		if n := count(t, s, "expiry"); n != 1 {
			t.Errorf("a key with a new time to live is noted %d times, want once", n)
		}
		rev = write(t, s, kv.Write{Key: "a", IfRev: rev})
		<-time.After(4 * time.Hour)
		synctest.Wait()
		if got, err := s.Get(t.Context(), "a"); err != nil || got.Revision != rev {
			t.Errorf("an update without a time to live keeps the key: got revision %d, want %d (%v)", got.Revision, rev, err)
		}
		write(t, s, kv.Write{Key: "a", Delete: true, IfRev: write(t, s, kv.Write{Key: "a", TTL: time.Hour, IfRev: rev})})
		if n := count(t, s, "expiry"); n != 0 {
			t.Errorf("%d times are noted, but no key has one", n)
		}
	})
}

func TestCompactionLeavesOneRecordOfALiveKeyAndNoneOfADeletedOne(t *testing.T) {
	const n = 300 // times three is more than one transaction takes
	s := open(t, bboltkv.Options{})
	kept, rev := int64(0), int64(0)
	for range n {
		kept = write(t, s, kv.Write{Key: "kept", IfRev: kept})
		rev = write(t, s, kv.Write{Key: "a", Delete: true, IfRev: write(t, s, kv.Write{Key: "a"})})
	}
	if err := s.Compact(t.Context(), rev); err != nil {
		t.Fatal(err)
	}
	if l, i := count(t, s, "log"), count(t, s, "index"); l != 1 || i != 1 {
		t.Errorf("one key is alive; the log has %d records and the index %d, want 1 each", l, i)
	}
}

// compactedBefore says whether a watch from rev is refused.
func compactedBefore(t *testing.T, s kv.Store, rev int64) bool {
	t.Helper()
	for _, err := range s.Watch(t.Context(), "", "\xff", rev) {
		if err != nil && !errors.Is(err, kv.ErrCompacted) {
			t.Fatal(err)
		}
		return err != nil
	}
	return false
}

func TestHistoryIsForgottenAtItsAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, bboltkv.Options{HistoryAge: 8 * time.Minute})
		first := write(t, s, kv.Write{Key: "a", Value: []byte("1")})
		second := write(t, s, kv.Write{Key: "a", Value: []byte("2"), IfRev: first})
		<-time.After(7 * time.Minute)
		third := write(t, s, kv.Write{Key: "a", Value: []byte("3"), IfRev: second})
		synctest.Wait()
		if compactedBefore(t, s, first) {
			t.Error("history of 7 minutes was forgotten, want 8 to be kept")
		}
		<-time.After(3 * time.Minute)
		synctest.Wait()
		if !compactedBefore(t, s, first) {
			t.Error("history of 10 minutes is still kept, want 8")
		}
		if compactedBefore(t, s, second) {
			t.Error("history of 3 minutes was forgotten together with that of 10")
		}
		if got, err := s.Get(t.Context(), "a"); err != nil || got.Revision != third {
			t.Errorf("the value itself is kept: got revision %d, want %d (%v)", got.Revision, third, err)
		}
	})
}

func TestHistoryIsBoundedAndItsSpaceIsUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // so that the compactor can be waited for
		path := filepath.Join(t.TempDir(), "state.db")
		s := open(t, bboltkv.Options{Path: path, HistoryBytes: 1 << 20})
		var rev int64
		sizes := []int64{}
		for range 4 {
			for range 300 { // 3 MB
				rev = write(t, s, kv.Write{Key: "a", Value: make([]byte, 10_000), IfRev: rev})
			}
			synctest.Wait()
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			sizes = append(sizes, info.Size())
		}
		if sizes[3] > 6<<20 {
			t.Errorf("12 MB were written with 1 MB of history, and the file grew in four steps to %d bytes", sizes)
		}
		if !compactedBefore(t, s, rev-130) || compactedBefore(t, s, rev-80) {
			t.Error("of the last records with 10 kB each about 100 are kept, want that 130 are too many and 80 are not")
		}
	})
}

func TestHistoryFromBeforeARestartCountsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := bboltkv.Options{Path: filepath.Join(t.TempDir(), "state.db"), HistoryBytes: 1 << 20}
		var rev int64
		for range 4 { // each start writes less than is kept
			s := open(t, o)
			for range 50 {
				rev = write(t, s, kv.Write{Key: "a", Value: make([]byte, 10_000), IfRev: rev})
			}
			synctest.Wait()
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		s := open(t, o)
		if !compactedBefore(t, s, rev-135) || compactedBefore(t, s, rev-80) {
			t.Error("of the last records with 10 kB each about 100 are kept, want that 135 are too many and 80 are not")
		}
	})
}
