package bboltkv_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"go.etcd.io/bbolt"
)

// torture is how much is done: 1 in ordinary tests, 20 in make torture.
func torture() int {
	n, _ := strconv.Atoi(os.Getenv("TORTURE"))
	return max(1, n)
}

const (
	killedPath = "BBOLTKV_TEST_PATH" // set in the process that is to be killed
	writers    = 16
	eachHas    = 10      // keys
	kept       = 2 << 20 // bytes of history: compaction is under way when the kill comes
)

// A child writes and tells of each acknowledgement; it is killed in the midst
// of that, and the file it leaves is looked at: fifty times over the same file.
func TestAcknowledgedWritesSurviveKill9(t *testing.T) {
	if path := os.Getenv(killedPath); path != "" {
		writeUntilKilled(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "state.db")
	live := map[string]int64{} // what the log has come to by now
	seen, writes := int64(1), 0
	rounds := 50 * torture()
	for round := range rounds {
		acknowledged := killAfter(t, path, 1+rand.N(200))
		checkPages(t, path)
		s := open(t, bboltkv.Options{Path: path, HistoryBytes: kept})
		now, err := s.Revision(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		replay(t, s, seen, now, acknowledged, live)
		compare(t, s, live)
		seen = write(t, s, kv.Write{Key: fmt.Sprint("round-", round)})
		if seen <= now {
			t.Errorf("the first write after the kill has revision %d, want more than %d", seen, now)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if writes += len(acknowledged); t.Failed() {
			t.Fatalf("round %d of %d has failed; the file is %s", round, rounds, path)
		}
	}
	t.Logf("%d kills, %d acknowledged writes, the file is at revision %d: nothing is missing", rounds, writes, seen)
}

// stamp is what a write is remembered by; its value is the stamp over and over.
func stamp(key string, i int) string { return fmt.Sprintf("%s#%d#%d", key, os.Getpid(), i) }

func valueOf(stamp string) string { return strings.Repeat(stamp+",", 1000/len(stamp)) }

const deletion = "deleted"

// writeUntilKilled makes, changes and deletes keys from many goroutines and
// prints what was acknowledged. The dot says that a line is complete.
func writeUntilKilled(t *testing.T, path string) {
	s := open(t, bboltkv.Options{Path: path, HistoryBytes: kept})
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("w%d-%d", w, i%eachHas)
				has, err := s.Get(context.Background(), key)
				switch {
				case errors.Is(err, kv.ErrNotFound):
					has = kv.KV{} // of a deleted key it has the revision of the deletion
				case err != nil:
					fmt.Println("failed", err)
					return
				}
				what := stamp(key, i)
				op := kv.Write{Key: key, Value: []byte(valueOf(what)), IfRev: has.Revision}
				if i%7 == 6 && has.Revision != 0 {
					op, what = kv.Write{Key: key, IfRev: has.Revision, Delete: true}, deletion
				}
				rev, err := s.Write(context.Background(), op)
				if err != nil {
					fmt.Println("failed", err)
					return
				}
				fmt.Printf("ack %d %s .\n", rev, what)
			}
		})
	}
	wg.Wait()
}

// killAfter kills the child after n acknowledged writes, and returns these and
// those that it told of between that and its death.
func killAfter(t *testing.T, path string, n int) map[int64]string {
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
	acknowledged, failed := map[int64]string{}, ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var rev int64
		var what string
		line := lines.Text()
		if c, _ := fmt.Sscanf(line, "ack %d %s .", &rev, &what); c != 2 || !strings.HasSuffix(line, " .") {
			failed += line + "\n"
			continue
		}
		if other := acknowledged[rev]; other != "" {
			t.Errorf("revision %d was given to %s and to %s", rev, other, what)
		}
		if acknowledged[rev] = what; len(acknowledged) == n {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); len(acknowledged) < n {
		t.Fatalf("the child ended by itself after %d of %d acknowledged writes: %v\n%s", len(acknowledged), n, err, failed)
	}
	return acknowledged
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

// replay reads the log since the last round: every acknowledged write must be
// in it, whole. live becomes what the log comes to.
func replay(t *testing.T, s kv.Store, seen, now int64, acknowledged map[int64]string, live map[string]int64) {
	t.Helper()
	found := 0
	for _, ev := range events(t, s, seen, int(now-seen)) { // a revision has one event
		what := deletion
		delete(live, ev.KV.Key)
		if !ev.Deleted {
			live[ev.KV.Key] = ev.KV.Revision
			what, _, _ = strings.Cut(string(ev.KV.Value), ",")
			if !strings.HasPrefix(what, ev.KV.Key+"#") || string(ev.KV.Value) != valueOf(what) {
				t.Errorf("revision %d of %s has a value of %d bytes that begins with %q, want all that was written", ev.KV.Revision, ev.KV.Key, len(ev.KV.Value), what)
			}
		}
		if wanted := acknowledged[ev.KV.Revision]; wanted != "" {
			found++
			if wanted != what {
				t.Errorf("revision %d was acknowledged as %s and is %s in the file", ev.KV.Revision, wanted, what)
			}
		}
	}
	if found != len(acknowledged) {
		t.Errorf("%d of %d acknowledged writes are in the file", found, len(acknowledged))
	}
}

// compare reads the index: it must say what the log says.
func compare(t *testing.T, s kv.Store, live map[string]int64) {
	t.Helper()
	res, err := s.Range(t.Context(), kv.Prefix("w"))
	inLog := 0
	for key := range live {
		if strings.HasPrefix(key, "w") {
			inLog++
		}
	}
	if err != nil || len(res.KVs) != inLog {
		t.Errorf("the index has %d keys, and the log makes %d (%v)", len(res.KVs), inLog, err)
	}
	for _, k := range res.KVs {
		if live[k.Key] != k.Revision {
			t.Errorf("%s is of revision %d in the index and of %d in the log", k.Key, k.Revision, live[k.Key])
		}
	}
}
