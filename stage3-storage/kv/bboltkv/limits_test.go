package bboltkv_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
)

// A million updates of a thousand objects in make torture, a twentieth of that
// with a twentieth of the history else.
func TestManyUpdatesLeaveASmallFile(t *testing.T) {
	const objects, writers = 1000, 50
	scale := int64(torture())
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, bboltkv.Options{Path: path, HistoryBytes: scale * (64 << 20) / 20})
	value := make([]byte, 1000)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			var revs [objects / writers]int64
			for i := range 50_000 * int(scale) / writers {
				n := i % len(revs)
				rev, err := s.Write(t.Context(), kv.Write{Key: fmt.Sprintf("p/%d-%d", w, n), Value: value, IfRev: revs[n]})
				if err != nil {
					t.Errorf("update %d of writer %d: %v", i, w, err)
					return
				}
				revs[n] = rev
			}
		})
	}
	wg.Wait()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	now, _ := s.Revision(t.Context())
	if limit := max(16<<20, scale*(200<<20)/20); info.Size() > limit {
		t.Errorf("after %d updates of %d objects the file has %d MB, want at most %d", now-1, objects, info.Size()>>20, limit>>20)
	}
	t.Logf("%d updates of %d objects, the file has %d MB", now-1, objects, info.Size()>>20)
}

const fullPath = "BBOLTKV_TEST_FULL" // set in the process whose files may not grow

// The child may write files of 2 MB only, as on a disk that is full.
func TestAFullDiskFailsTheWriteAndLosesNothing(t *testing.T) {
	if path := os.Getenv(fullPath); path != "" {
		fill(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "state.db")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAFullDiskFailsTheWriteAndLosesNothing$")
	cmd.Env = append(os.Environ(), fullPath+"="+path)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the child whose disk is full: %v\n%s", err, said)
	}
	checkPages(t, path)
	s := open(t, bboltkv.Options{Path: path})
	res, err := s.Range(t.Context(), kv.Prefix("p/"))
	if err != nil || len(res.KVs) == 0 {
		t.Fatalf("with space again there are %d keys, %v", len(res.KVs), err)
	}
	write(t, s, kv.Write{Key: "p/more", Value: make([]byte, 4<<20)})
}

// fill writes until nothing more fits, and looks for what did.
func fill(t *testing.T, path string) {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: 2 << 20, Max: 2 << 20}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skipf("this system limits no files: %v", err)
	}
	s := open(t, bboltkv.Options{Path: path})
	acknowledged := map[string]int64{}
	var full error
	for i := 0; full == nil; i++ {
		key := fmt.Sprint("p/", i)
		var rev int64
		if rev, full = s.Write(t.Context(), kv.Write{Key: key, Value: make([]byte, 10_000)}); full == nil {
			acknowledged[key] = rev
		}
	}
	if !strings.Contains(full.Error(), "file too large") {
		t.Errorf("a write that does not fit says why, got: %v", full)
	}
	res, err := s.Range(t.Context(), kv.Prefix("p/"))
	if err != nil || len(res.KVs) != len(acknowledged) {
		t.Errorf("%d writes were acknowledged, and there are %d keys (%v)", len(acknowledged), len(res.KVs), err)
	}
	for _, k := range res.KVs {
		if acknowledged[k.Key] != k.Revision {
			t.Errorf("%s was acknowledged as revision %d and is of %d", k.Key, acknowledged[k.Key], k.Revision)
		}
	}
}

func TestAFolderThatCannotBeWrittenIsAClearError(t *testing.T) {
	const path = "/proc/kube-apiserver/state.db" // on Linux, not even root may
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("this system has no /proc")
	}
	if _, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path}); err == nil || !strings.HasPrefix(err.Error(), "open "+path+": mkdir /proc/kube-apiserver: ") {
		t.Errorf("want an error that names the file and the folder that cannot be made, got %v", err)
	}
}
