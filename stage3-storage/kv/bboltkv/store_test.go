package bboltkv_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/kv/kvtest"
	"go.etcd.io/bbolt"
)

func open(t testing.TB, o bboltkv.Options) *bboltkv.Store {
	t.Helper()
	if o.Path == "" {
		o.Path = filepath.Join(t.TempDir(), "state.db")
	}
	s, err := bboltkv.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t testing.TB, s kv.Store, w kv.Write) int64 {
	t.Helper()
	rev, err := s.Write(t.Context(), w)
	if err != nil {
		t.Fatalf("the write of %s failed: %v", w.Key, err)
	}
	return rev
}

// events are the next n events of all keys after rev.
func events(t testing.TB, s kv.Store, rev int64, n int) (got []kv.Event) {
	t.Helper()
	for ev, err := range s.Watch(t.Context(), "", "\xff", rev) {
		if err != nil {
			t.Fatalf("the watch from revision %d ended after %d of %d events: %v", rev, len(got), n, err)
		}
		if ev.KV.Key == "" {
			continue // progress
		}
		if got = append(got, ev); len(got) == n {
			break
		}
	}
	return got
}

func TestContract(t *testing.T) {
	kvtest.Run(t, func(t *testing.T) kv.Store { return open(t, bboltkv.Options{}) })
}

func TestAListenerIsToldInOrderAndBeforeTheAnswer(t *testing.T) {
	var mu sync.Mutex
	var told []int64
	s := open(t, bboltkv.Options{})
	s.Tell(func(events []kv.Event) {
		mu.Lock()
		defer mu.Unlock()
		for _, ev := range events {
			told = append(told, ev.KV.Revision)
		}
	})
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 20 {
				rev, err := s.Write(t.Context(), kv.Write{Key: fmt.Sprintf("%d-%d", w, i)})
				mu.Lock()
				if err != nil || !slices.Contains(told, rev) {
					t.Errorf("revision %d was acknowledged before the listener was told (%v)", rev, err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(told) != 160 || !slices.IsSorted(told) {
		t.Errorf("the listener was told of the revisions %v, want 160 that rise", told)
	}
}

func TestAFailedCommitIsNotAcknowledged(t *testing.T) {
	told := 0
	s := open(t, bboltkv.Options{})
	s.Tell(func([]kv.Event) { told++ })
	rev := write(t, s, kv.Write{Key: "a"})
	s.File().MaxSize = 1 // as if the disk were full
	if got, err := s.Write(t.Context(), kv.Write{Key: "b", Value: make([]byte, 1<<20)}); err == nil {
		t.Fatalf("a write that does not fit was acknowledged with revision %d", got)
	}
	if _, err := s.Get(t.Context(), "b"); !errors.Is(err, kv.ErrNotFound) || told != 1 {
		t.Errorf("nothing of the failed write is there: got %v, and the listener was called %d times, want 1", err, told)
	}
	s.File().MaxSize = 0
	if next := write(t, s, kv.Write{Key: "c"}); next != rev+1 {
		t.Errorf("when there is space again, writes go on with revision %d, got %d", rev+1, next)
	}
}

// A failed fsync may leave in the file what was refused.
func TestNothingIsWrittenOverACommitOfUnknownFate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, bboltkv.Options{Path: path})
	rev := write(t, s, kv.Write{Key: "a", Value: []byte("1")})
	if err := s.File().Update(func(tx *bbolt.Tx) error {
		known := tx.Bucket([]byte("log")).Get([]byte{0, 0, 0, 0, 0, 0, 0, byte(rev)})
		return errors.Join(tx.Bucket([]byte("log")).Put([]byte{0, 0, 0, 0, 0, 0, 0, byte(rev + 1)}, known),
			tx.Bucket([]byte("index")).Put([]byte{'a', 0, 0, 0, 0, 0, 0, 0, 0, byte(rev + 1)}, nil))
	}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Write(t.Context(), kv.Write{Key: "b"}); err == nil {
		t.Errorf("revision %d is in the file and was refused; now it was given out again, as %d", rev+1, got)
	}
	if got, err := s.Get(t.Context(), "a"); err != nil || got.Revision != rev {
		t.Errorf("what was refused is not read: got revision %d, want %d (%v)", got.Revision, rev, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, bboltkv.Options{Path: path})
	if got := write(t, s, kv.Write{Key: "b"}); got != rev+2 {
		t.Errorf("opened anew, the store knows that %d is taken, but it gave out %d", rev+1, got)
	}
}

func TestAKeyThatCannotBeStoredIsRefused(t *testing.T) {
	s := open(t, bboltkv.Options{})
	for _, key := range []string{"", "a\x00b", strings.Repeat("x", 1<<15)} {
		if _, err := s.Write(t.Context(), kv.Write{Key: key}); err == nil {
			t.Errorf("the key %.10q of %d bytes was not refused", key, len(key))
		}
	}
	write(t, s, kv.Write{Key: strings.Repeat("x", 1<<14)})
}

// What is stored of "a" begins with "a\x00" too; once there are some revisions
// it lies where a look at such a key ends.
func TestAKeyWithAZeroByteIsNowhere(t *testing.T) {
	s := open(t, bboltkv.Options{})
	write(t, s, kv.Write{Key: "a"})
	var wg sync.WaitGroup
	for i := range 1024 {
		wg.Go(func() {
			if _, err := s.Write(t.Context(), kv.Write{Key: fmt.Sprint("b", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, key := range []string{"", "a\x00", "a\x00\x00"} {
		if _, err := s.Get(t.Context(), key); !errors.Is(err, kv.ErrNotFound) {
			t.Errorf("nothing can be stored under %q, and reading it gives %v", key, err)
		}
	}
}

// While a commit is under way, others queue up; they share the next one.
func TestWritesThatWaitShareACommitAndARefusalIsOneWritersOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		commits := make(chan []kv.Event)
		s := open(t, bboltkv.Options{})
		s.Tell(func(events []kv.Event) { commits <- events })
		for _, key := range []string{"first", "a", "b", "a", "c", "a"} {
			go func() {
				if _, err := s.Write(t.Context(), kv.Write{Key: key}); err != nil && (key != "a" || !errors.Is(err, kv.ErrExists)) {
					t.Errorf("the write of %s failed: %v", key, err)
				}
			}()
			synctest.Wait() // until it is in the queue, or its commit has come to the listener
		}
		if first := <-commits; len(first) != 1 || first[0].KV.Key != "first" {
			t.Errorf("the first commit is %v, want that of the first writer alone", first)
		}
		if second := <-commits; len(second) != 3 {
			t.Errorf("the second commit has %d events, want three: a once, b and c", len(second))
		}
	})
}

// Otherwise a reader could be ahead of the cache that a listener fills.
func TestNobodySeesACommitBeforeItsListenersHaveReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := open(t, bboltkv.Options{})
		s.Tell(func([]kv.Event) { <-release })
		go s.Write(t.Context(), kv.Write{Key: "a"}) // the watch below waits for it
		synctest.Wait()
		seen := make(chan kv.Event, 1)
		go func() { seen <- events(t, s, 0, 1)[0] }() // from 0, which is read from disk
		synctest.Wait()
		rev, _ := s.Revision(t.Context())
		if _, err := s.Get(t.Context(), "a"); !errors.Is(err, kv.ErrNotFound) || rev != 1 || len(seen) != 0 {
			t.Errorf("on disk, but not yet published: Get gave %v, Revision %d, a watch %d events; want ErrNotFound, 1 and none", err, rev, len(seen))
		}
		close(release)
		if ev := <-seen; ev.KV.Key != "a" {
			t.Errorf("the watch saw %+v, want the write of a", ev)
		}
	})
}

func TestCloseWaitsForTheCommitThatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := open(t, bboltkv.Options{})
		s.Tell(func([]kv.Event) { <-release })
		written, closed := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := s.Write(t.Context(), kv.Write{Key: "a"})
			written <- err
		}()
		synctest.Wait()
		go func() { closed <- s.Close() }()
		synctest.Wait()
		if len(closed) != 0 {
			t.Error("Close returned while a commit was under way")
		}
		close(release)
		if w, c := <-written, <-closed; w != nil || c != nil {
			t.Errorf("the commit that was under way is acknowledged, and then the store is closed: got %v and %v", w, c)
		}
	})
}

// A file system that lost its disk, or somebody's > state.db.
func TestReadingAFileThatWasCutOffMeanwhileIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, bboltkv.Options{Path: path})
	for i := range 100 {
		write(t, s, kv.Write{Key: fmt.Sprint(i), Value: make([]byte, 1000)})
	}
	if err := os.Truncate(path, int64(2*os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	if res, err := s.Range(t.Context(), kv.Prefix("1")); err == nil || !strings.Contains(err.Error(), path+": the file is damaged") {
		t.Errorf("a list of a file that is gone: got %d keys and %v, want an error that names the file", len(res.KVs), err)
	}
}

func BenchmarkWrite(b *testing.B) {
	value := []byte(strings.Repeat("x", 1000))
	for _, writers := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			s := open(b, bboltkv.Options{})
			keys := make(chan string, writers)
			go func() {
				defer close(keys)
				for i := range b.N {
					keys <- fmt.Sprintf("/registry/pods/default/pod-%d", i)
				}
			}()
			b.ResetTimer()
			var wg sync.WaitGroup
			for range writers {
				wg.Go(func() {
					for key := range keys {
						if _, err := s.Write(b.Context(), kv.Write{Key: key, Value: value}); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
		})
	}
}
