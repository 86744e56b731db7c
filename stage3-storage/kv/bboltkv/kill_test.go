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
	"go.etcd.io/bbolt"
)

const killedPath = "BBOLTKV_TEST_PATH" // set in the process that is to be killed

// A child writes and tells of each acknowledgement; it is killed in the midst
// of that, and the file it leaves is looked at, several times over.
func TestAcknowledgedWritesSurviveKill9(t *testing.T) {
	if path := os.Getenv(killedPath); path != "" {
		writeUntilKilled(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "state.db")
	acknowledged := map[int64]string{} // revision → what was written
	for _, n := range []int{1, 50, 200, 500} {
		before := len(acknowledged)
		last := killAfter(t, path, n, acknowledged)
		checkPages(t, path)
		s := open(t, bboltkv.Options{Path: path})
		now, err := s.Revision(t.Context())
		if err != nil || now < last {
			t.Fatalf("revision %d was acknowledged, and the file is at %d (%v)", last, now, err)
		}
		live := replay(t, s, now, acknowledged)
		res, err := s.Range(t.Context(), kv.Prefix("w"))
		if err != nil || len(res.KVs) != len(live) {
			t.Errorf("the index has %d keys, and the log makes %d (%v)", len(res.KVs), len(live), err)
		}
		for _, k := range res.KVs {
			if live[k.Key] != k.Revision {
				t.Errorf("%s is of revision %d in the index and of %d in the log", k.Key, k.Revision, live[k.Key])
			}
		}
		if next := write(t, s, kv.Write{Key: fmt.Sprint("round-", n)}); next <= now {
			t.Errorf("the first write after the kill has revision %d, want more than %d", next, now)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d writes acknowledged before the kill, the file is at revision %d", len(acknowledged)-before, now)
	}
}

// describe is what a write is remembered by.
func describe(deleted bool, key string) string {
	if deleted {
		return "deleted:" + key
	}
	return "written:" + key
}

func valueOf(key string) string { return strings.Repeat(key+",", 200) }

// writeUntilKilled makes, changes and deletes keys from 16 goroutines and
// prints what was acknowledged. The dot says that a line is complete.
func writeUntilKilled(t *testing.T, path string) {
	s := open(t, bboltkv.Options{Path: path})
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			rev := int64(0)
			for i := 0; ; i++ {
				key := fmt.Sprintf("w%d-%d-%d", os.Getpid(), w, i/3) // three writes each
				op := kv.Write{Key: key, Value: []byte(valueOf(key)), IfRev: rev, Delete: i%3 == 2 && i%2 == 0}
				if i%3 == 0 {
					op.IfRev = 0
				}
				var err error
				if rev, err = s.Write(context.Background(), op); err != nil {
					fmt.Println("failed", err)
					return
				}
				fmt.Printf("ack %d %s .\n", rev, describe(op.Delete, key))
			}
		})
	}
	wg.Wait()
}

// killAfter kills the child after n acknowledged writes, and remembers also
// those that it told of between that and its death. It returns the newest.
func killAfter(t *testing.T, path string, n int, acknowledged map[int64]string) (last int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestAcknowledgedWritesSurviveKill9$")
	cmd.Env = append(os.Environ(), killedPath+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	told := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var rev int64
		var what string
		if c, _ := fmt.Sscanf(lines.Text(), "ack %d %s .", &rev, &what); c != 2 || !strings.HasSuffix(lines.Text(), " .") {
			continue
		}
		if other := acknowledged[rev]; other != "" {
			t.Errorf("revision %d was given to %s and, after a restart, to %s", rev, other, what)
		}
		acknowledged[rev] = what
		last = max(last, rev)
		if told++; told == n {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); told < n {
		t.Fatalf("the child ended by itself after %d of %d acknowledged writes: %v", told, n, err)
	}
	return last
}

// checkPages lets bbolt look for itself.
func checkPages(t *testing.T, path string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoFreelistSync: true})
	if err != nil {
		t.Fatalf("after the kill bbolt cannot open the file: %v", err)
	}
	err = db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("after the kill bbolt finds: %v", err)
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// replay reads the whole log: every acknowledged write must be in it, whole,
// and what it comes to in the end is returned.
func replay(t *testing.T, s kv.Store, now int64, acknowledged map[int64]string) map[string]int64 {
	t.Helper()
	live, found := map[string]int64{}, 0
	for _, ev := range events(t, s, 0, int(now)-1) { // one event for each revision but the first
		if !strings.HasPrefix(ev.KV.Key, "w") {
			continue
		}
		if what := acknowledged[ev.KV.Revision]; what != "" {
			found++
			if got := describe(ev.Deleted, ev.KV.Key); got != what {
				t.Errorf("revision %d was acknowledged as %s and is %s in the file", ev.KV.Revision, what, got)
			}
		}
		if ev.Deleted {
			delete(live, ev.KV.Key)
			continue
		}
		live[ev.KV.Key] = ev.KV.Revision
		if string(ev.KV.Value) != valueOf(ev.KV.Key) {
			t.Errorf("revision %d has a value of %d bytes, want all of the %d that were written", ev.KV.Revision, len(ev.KV.Value), len(valueOf(ev.KV.Key)))
		}
	}
	if found != len(acknowledged) {
		t.Errorf("%d of %d acknowledged writes are in the file", found, len(acknowledged))
	}
	return live
}
