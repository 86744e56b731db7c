package bboltkv_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"go.etcd.io/bbolt"
)

func TestAReopenedStoreKeepsItsDataAndRevisionsRiseOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", "state.db")
	s := open(t, bboltkv.Options{Path: path})
	kept := write(t, s, kv.Write{Key: "kept", Value: []byte("1")})
	a := write(t, s, kv.Write{Key: "a"})
	b := write(t, s, kv.Write{Key: "a", Delete: true, IfRev: a})
	c := write(t, s, kv.Write{Key: "a", Value: []byte("2")})
	d := write(t, s, kv.Write{Key: "b"})
	last := write(t, s, kv.Write{Key: "b", Delete: true, IfRev: d})
	if err := errors.Join(s.Compact(t.Context(), b), s.Close()); err != nil {
		t.Fatal(err)
	}

	s = open(t, bboltkv.Options{Path: path})
	if rev, _ := s.Revision(t.Context()); rev != last {
		t.Errorf("the file ended at revision %d and was opened at %d", last, rev)
	}
	if got, err := s.Get(t.Context(), "kept"); err != nil || got.Revision != kept || string(got.Value) != "1" {
		t.Errorf("after opening anew the key holds %q of revision %d, want 1 of %d (%v)", got.Value, got.Revision, kept, err)
	}
	if got := events(t, s, b, 3); got[0].KV.Revision != c || got[0].Prev != nil || got[2].KV.Revision != last || got[2].Prev == nil {
		t.Errorf("after opening anew a watch from the compacted revision %d saw %+v", b, got)
	}
	for _, err := range s.Watch(t.Context(), "", "z", a) {
		if !errors.Is(err, kv.ErrCompacted) {
			t.Errorf("after opening anew a watch from before the compacted revision: got %v, want ErrCompacted", err)
		}
		break
	}
}

// Every object is older than the history, and the newest record, a deletion,
// was forgotten.
func TestAStoreOfOldObjectsCanBeOpenedAndWatched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, bboltkv.Options{Path: path})
	old := write(t, s, kv.Write{Key: "old"})
	last := write(t, s, kv.Write{Key: "x", Delete: true, IfRev: write(t, s, kv.Write{Key: "x"})})
	if err := errors.Join(s.Compact(t.Context(), last), s.Close()); err != nil {
		t.Fatal(err)
	}
	s = open(t, bboltkv.Options{Path: path})
	res, err := s.Range(t.Context(), kv.Prefix("o"))
	if err != nil || res.Revision != last || len(res.KVs) != 1 || res.KVs[0].Revision != old {
		t.Errorf("the list is %+v (%v), want the old key of revision %d as of %d", res, err, old, last)
	}
	next := write(t, s, kv.Write{Key: "x"})
	if got := events(t, s, res.Revision, 1); got[0].KV.Revision != next || next <= last {
		t.Errorf("a watch from the list's revision %d saw %+v, want the write of revision %d", last, got[0], next)
	}
}

func TestASecondProcessIsToldThatTheFileIsInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, bboltkv.Options{Path: path})
	write(t, s, kv.Write{Key: "a"})
	_, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path, LockTimeout: 50 * time.Millisecond})
	if want := "open " + path + ": in use by another process"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, bboltkv.Options{Path: path}) // Close has let go of it
}

// refused opens a file that is not to be opened, and looks whether it was changed.
func refused(t *testing.T, path, why string) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path, LockTimeout: 50 * time.Millisecond})
	if err == nil {
		s.Close()
		t.Fatalf("%s was opened", path)
	}
	if !strings.HasPrefix(err.Error(), "open "+path+": ") || !strings.Contains(err.Error(), why) || strings.Count(err.Error(), path) != 1 {
		t.Errorf("the error names the file once and says %q: got %v", why, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed (%v)", err)
	}
}

func TestAForeignFileIsRefusedAndLeftAsItIs(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"short.txt": "hello\n", "photo.jpg": strings.Repeat("not a database ", 10_000)} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		refused(t, path, "not a file of this server")
	}
	for _, noFreelistSync := range []bool{false, true} { // etcd writes its files with true
		path := filepath.Join(folder, fmt.Sprintf("other-%t.db", noFreelistSync))
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoFreelistSync: noFreelistSync})
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("meta")); return err })
		if err = errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		refused(t, path, "not a file of this server")
	}
}

func TestAFolderThatCannotBeMadeIsAClearError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(file, "state.db")
	if _, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path}); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("got %v, want an error that says that %s is not a directory", err, file)
	}
}

const keys = 80

// full makes a file whose keys fill some pages, with a large value at the end of
// those in use.
func full(t *testing.T) (content []byte, inUse int) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, bboltkv.Options{Path: path})
	for i := range keys {
		write(t, s, kv.Write{Key: fmt.Sprintf("key-%d", i), Value: bytes.Repeat([]byte("v"), 500)})
	}
	write(t, s, kv.Write{Key: "large", Value: make([]byte, 100_000)})
	err := s.File().View(func(tx *bbolt.Tx) error { inUse = int(tx.Size()); return nil })
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return content, inUse
}

func TestAFileThatWasCutOffIsRefused(t *testing.T) {
	content, inUse := full(t)
	for _, left := range []int{5, 5000, 9000, inUse / 2, inUse - 100} {
		path := filepath.Join(t.TempDir(), "cut.db")
		if err := os.WriteFile(path, content[:left], 0o600); err != nil {
			t.Fatal(err)
		}
		refused(t, path, "damaged")
	}
}

// Whatever page is overwritten, whole or behind its head, the process does not
// die: opening fails and leaves the file as it is, or only values were hit.
func TestADamagedPageNeverBringsTheProcessDown(t *testing.T) {
	const head = 16 // of a page: its number and kind
	content, inUse := full(t)
	page := os.Getpagesize()
	path, noticed := filepath.Join(t.TempDir(), "damaged.db"), 0
	for n := 4; n < 2*inUse/page; n++ {
		damaged := bytes.Clone(content)
		for i := n % 2 * head; i < page; i++ {
			damaged[n/2*page+i] = byte(37 * i)
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path})
		if err != nil {
			noticed++
			if after, _ := os.ReadFile(path); !bytes.Equal(after, damaged) {
				t.Errorf("page %d: the file was refused (%v) and changed all the same", n/2, err)
			}
			continue
		}
		if res, err := s.Range(t.Context(), kv.Prefix("key-")); err != nil || len(res.KVs) != keys {
			t.Errorf("page %d: the file was opened, and a list has %d keys of %d (%v)", n/2, len(res.KVs), keys, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("page %d: %v", n/2, err)
		}
	}
	if noticed < 15 {
		t.Errorf("only %d damages were noticed; a file of %d records has more pages in use", noticed, keys)
	}
}
