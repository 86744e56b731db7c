package bboltkv_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/kv/kvtest"
)

func open(t testing.TB, path string) *bboltkv.Store {
	t.Helper()
	s, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestContract(t *testing.T) {
	kvtest.Run(t, func(t *testing.T) kv.Store { return open(t, filepath.Join(t.TempDir(), "new", "state.db")) })
}

func TestAReopenedStoreKeepsDataAndRevisionsRiseOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, path)
	a, err := s.Write(t.Context(), kv.Write{Key: "a", Value: []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Write(t.Context(), kv.Write{Key: "a", Delete: true, IfRev: a})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Compact(t.Context(), b), s.Close()); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	defer s.Close()
	if rev, _ := s.Revision(t.Context()); rev != b {
		t.Errorf("the file ended at revision %d, also when its last record was forgotten; after reopening it is at %d", b, rev)
	}
	c, err := s.Write(t.Context(), kv.Write{Key: "a", Value: []byte("2")})
	if err != nil || c <= b {
		t.Errorf("the first write after reopening has revision %d, want more than %d (%v)", c, b, err)
	}
}

func TestASecondProcessIsToldThatTheFileIsInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, path)
	defer s.Close()
	_, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path, LockTimeout: 50 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), path+": in use by another process") {
		t.Errorf("want an error that names the file and the reason, got %v", err)
	}
}

func TestAForeignFileIsLeftAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "photo.jpg")
	content := strings.Repeat("not a database ", 1000)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path}); err == nil {
		t.Error("a file that is no store must be refused")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != content {
		t.Errorf("the foreign file was changed (%v)", err)
	}
}

func TestWritesAfterCloseAreRefused(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "state.db"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(t.Context(), kv.Write{Key: "a"}); !errors.Is(err, kv.ErrClosed) {
		t.Errorf("a write to a closed store: got %v, want ErrClosed", err)
	}
	if _, err := s.Get(t.Context(), "a"); !errors.Is(err, kv.ErrClosed) {
		t.Errorf("a read from a closed store: got %v, want ErrClosed", err)
	}
}

func TestHistoryIsBoundedAndSpaceIsUsedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path, HistoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const keys, rounds = 16, 60
	value := strings.Repeat("x", 10_000) // 9.6 MB in all
	for k := range keys {
		var rev int64
		for range rounds {
			if rev, err = s.Write(t.Context(), kv.Write{Key: fmt.Sprint(k), Value: []byte(value), IfRev: rev}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Compact(t.Context(), must(s.Revision(t.Context()))); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 6<<20 {
		t.Errorf("%d MB were written with a history of 1 MB, and the file has %d bytes", keys*rounds*len(value)>>20, info.Size())
	}
}

func must(rev int64, _ error) int64 { return rev }

// TestAcknowledgedWritesSurviveKill9 kills a process in the midst of its
// writes and looks at what it left.
func TestAcknowledgedWritesSurviveKill9(t *testing.T) {
	if path := os.Getenv("BBOLTKV_WRITER"); path != "" {
		writeForever(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "state.db")
	acknowledged := map[string]int64{}
	highest := int64(0)
	for round := range 4 {
		for key, rev := range killedWriter(t, path, 40+60*round) {
			acknowledged[key] = rev
			highest = max(highest, rev)
		}
		s := open(t, path)
		for key, rev := range acknowledged {
			got, err := s.Get(t.Context(), key)
			if err != nil || got.Revision != rev || string(got.Value) != key+strings.Repeat(".", 3000) {
				t.Fatalf("round %d: %s was acknowledged at revision %d; after the kill: revision %d, %d bytes, %v", round, key, rev, got.Revision, len(got.Value), err)
			}
		}
		if now := must(s.Revision(t.Context())); now < highest {
			t.Errorf("round %d: revision %d was acknowledged, and the store is at %d", round, highest, now)
		}
		logAgreesWithIndex(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// logAgreesWithIndex rebuilds the present from the log and compares it with a list.
func logAgreesWithIndex(t *testing.T, s *bboltkv.Store) {
	t.Helper()
	res, err := s.Range(t.Context(), kv.Prefix("w"))
	if err != nil {
		t.Fatal(err)
	}
	built := map[string]int64{}
	for ev, err := range s.Watch(t.Context(), "w", kv.PrefixEnd("w"), 1) {
		if err != nil {
			t.Fatal(err)
		}
		built[ev.KV.Key] = ev.KV.Revision
		if len(built) == len(res.KVs) {
			break
		}
	}
	for _, k := range res.KVs {
		if built[k.Key] != k.Revision {
			t.Errorf("%s: the list has revision %d, the log %d", k.Key, k.Revision, built[k.Key])
		}
	}
}

// killedWriter starts this test as a child, kills it after n acknowledged
// writes, and returns those that it told of before it died.
func killedWriter(t *testing.T, path string, n int) map[string]int64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestAcknowledgedWritesSurviveKill9$")
	cmd.Env = append(os.Environ(), "BBOLTKV_WRITER="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	told := map[string]int64{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var key string
		var rev int64
		if c, _ := fmt.Sscanf(lines.Text(), "ack %s %d.", &key, &rev); c == 2 && strings.HasSuffix(lines.Text(), ".") {
			told[key] = rev
		}
		if len(told) == n {
			cmd.Process.Kill() // what is in the pipe still counts
		}
	}
	cmd.Wait() // reports the kill
	if len(told) < n {
		t.Fatalf("the writer ended by itself after %d writes", len(told))
	}
	return told
}

func writeForever(t *testing.T, path string) {
	s := open(t, path)
	var wg sync.WaitGroup
	var out sync.Mutex
	for w := range 16 {
		wg.Go(func() {
			for i := range 100_000 {
				key := fmt.Sprintf("w%d-%d-%d", os.Getpid(), w, i)
				rev, err := s.Write(context.Background(), kv.Write{Key: key, Value: []byte(key + strings.Repeat(".", 3000))})
				if err != nil {
					return
				}
				out.Lock()
				fmt.Printf("ack %s %d.\n", key, rev)
				out.Unlock()
			}
		})
	}
	wg.Wait()
}

func BenchmarkWrite(b *testing.B) {
	for _, parallel := range []int{1, 32} {
		b.Run(fmt.Sprintf("writers=%d", 2*parallel), func(b *testing.B) {
			s := open(b, filepath.Join(b.TempDir(), "state.db"))
			defer s.Close()
			value := []byte(strings.Repeat("x", 1000))
			var n sync.Mutex
			next := 0
			b.SetParallelism(parallel)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					n.Lock()
					next++
					key := fmt.Sprint(next)
					n.Unlock()
					if _, err := s.Write(b.Context(), kv.Write{Key: key, Value: value}); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
