package kvtest

import (
	"errors"
	"fmt"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kv"
)

var reads = []claim{
	{"ARangeIsInTheOrderOfBytes", rangeIsOrdered},
	{"APrefixDoesNotLeakIntoItsNeighbours", prefixIsTight},
	{"ALimitSaysHowManyAreLeftOut", limitCounts},
	{"PagesOfOneRevisionAreOneList", pagesAreOneList},
	{"ARangeSeesOneRevision", rangeAtRevision},
	{"AFutureRevisionIsRefused", futureIsRefused},
	{"WhatWasReadCanBeReadAgain", readAgain},
}

// neighbours are namespaces whose names begin alike.
func neighbours(t *testing.T, s kv.Store) {
	for _, k := range []string{"dev/xay", "dev2/x", "dev/x", "dev-2/x", "dev/x.y", "de/x", "dev", "dev/x-y", "dev."} {
		put(t, s, k, "1", 0)
	}
}

func rangeIsOrdered(t *testing.T, s kv.Store) {
	neighbours(t, s)
	want := "[de/x=1 dev=1 dev-2/x=1 dev.=1 dev/x=1 dev/x-y=1 dev/x.y=1 dev/xay=1 dev2/x=1]"
	if got, _ := list(t, s, kv.Prefix("d")); got != want {
		t.Errorf("keys are in the order of their bytes: got\n%s, want\n%s", got, want)
	}
	if got, _ := list(t, s, kv.Range{Start: "dev.", End: "dev/x.y"}); got != "[dev.=1 dev/x=1 dev/x-y=1]" {
		t.Errorf("a range includes its start and not its end: got %s", got)
	}
	if got, _ := list(t, s, kv.Prefix("none/")); got != "[]" {
		t.Errorf("a range without keys is empty and no error: got %s", got)
	}
}

func prefixIsTight(t *testing.T, s kv.Store) {
	from := revision(t, s)
	neighbours(t, s)
	want := "[dev/x=1 dev/x-y=1 dev/x.y=1 dev/xay=1]"
	if got, _ := list(t, s, kv.Prefix("dev/")); got != want {
		t.Errorf("the prefix dev/ holds its own keys: got %s, want %s", got, want)
	}
	seen := 0
	for ev, err := range s.Watch(patient(t), "dev/", kv.PrefixEnd("dev/"), from) {
		if err != nil {
			t.Fatal(err)
		}
		if key := ev.KV.Key; len(key) < 5 || key[:4] != "dev/" {
			t.Fatalf("a watch of dev/ saw %s", key)
		}
		if seen++; seen == 4 {
			break
		}
	}
	if _, err := s.Get(t.Context(), "dev/"); !errors.Is(err, kv.ErrNotFound) {
		t.Errorf("a key that only begins other keys does not exist, got %v", err)
	}
}

func limitCounts(t *testing.T, s kv.Store) {
	for i := range 7 {
		put(t, s, fmt.Sprintf("p/%d", i), "1", 0)
	}
	del(t, s, "p/1", get(t, s, "p/1").Revision)
	put(t, s, "p/2", "2", get(t, s, "p/2").Revision)
	for _, c := range []struct {
		limit, more int
		want        string
	}{
		{0, 0, "[p/0=1 p/2=2 p/3=1 p/4=1 p/5=1 p/6=1]"},
		{1, 5, "[p/0=1]"},
		{4, 2, "[p/0=1 p/2=2 p/3=1 p/4=1]"},
		{6, 0, "[p/0=1 p/2=2 p/3=1 p/4=1 p/5=1 p/6=1]"},
		{9, 0, "[p/0=1 p/2=2 p/3=1 p/4=1 p/5=1 p/6=1]"},
	} {
		r := kv.Prefix("p/")
		r.Limit = c.limit
		if got, res := list(t, s, r); got != c.want || res.More != c.more {
			t.Errorf("with the limit %d: got %s and %d more, want %s and %d more", c.limit, got, res.More, c.want, c.more)
		}
	}
}

func pagesAreOneList(t *testing.T, s kv.Store) {
	for i := range 7 {
		put(t, s, fmt.Sprintf("p/%d", i), "1", 0)
	}
	page := kv.Prefix("p/")
	page.Limit = 3
	got, keys := "", 0
	for {
		texts, res := list(t, s, page)
		got += texts
		if keys += len(res.KVs); keys > 7 {
			t.Fatalf("seven keys came in pages of three as %s", got)
		}
		if res.More == 0 {
			break
		}
		// Between the pages others make, change and delete.
		put(t, s, fmt.Sprintf("p/3x%d", res.More), "new", 0)
		if res.More == 4 {
			del(t, s, "p/5", get(t, s, "p/5").Revision)
			put(t, s, "p/6", "2", get(t, s, "p/6").Revision)
		}
		page.Start, page.Revision = res.KVs[len(res.KVs)-1].Key+"\x00", res.Revision
	}
	if want := "[p/0=1 p/1=1 p/2=1][p/3=1 p/4=1 p/5=1][p/6=1]"; got != want {
		t.Errorf("pages read at the revision of the first are one moment: got %s, want %s", got, want)
	}
}

func rangeAtRevision(t *testing.T, s kv.Store) {
	a := put(t, s, "p/a", "1", 0)
	b := put(t, s, "p/b", "1", 0)
	a2 := put(t, s, "p/a", "2", a)
	gone := del(t, s, "p/b", b)
	again := put(t, s, "p/b", "3", 0)
	put(t, s, "q", "1", 0)
	for _, c := range []struct {
		rev  int64
		want string
	}{
		{a, "[p/a=1]"}, {b, "[p/a=1 p/b=1]"}, {a2, "[p/a=2 p/b=1]"}, {gone, "[p/a=2]"}, {again, "[p/a=2 p/b=3]"},
	} {
		got, res := list(t, s, at(kv.Prefix("p/"), c.rev))
		if got != c.want {
			t.Errorf("as of revision %d: got %s, want %s", c.rev, got, c.want)
		}
		if res.Revision != c.rev {
			t.Errorf("a range as of revision %d says that it is of %d", c.rev, res.Revision)
		}
	}
	got, res := list(t, s, kv.Prefix("p/"))
	if now := revision(t, s); got != "[p/a=2 p/b=3]" || res.Revision != now {
		t.Errorf("without a revision the newest is read: got %s of revision %d, and the store is at %d", got, res.Revision, now)
	}
}

func futureIsRefused(t *testing.T, s kv.Store) {
	rev := put(t, s, "a", "1", 0)
	if _, err := s.Range(t.Context(), at(kv.Prefix("a"), rev+1)); !errors.Is(err, kv.ErrFuture) {
		t.Errorf("reading at revision %d, and %d is the newest: got %v, want ErrFuture", rev+1, rev, err)
	}
	if err := s.Compact(t.Context(), rev+1); !errors.Is(err, kv.ErrFuture) {
		t.Errorf("compacting to revision %d, and %d is the newest: got %v, want ErrFuture", rev+1, rev, err)
	}
}

// readAgain: a client reads an object and goes on from its revision, whatever
// others write at that moment.
func readAgain(t *testing.T, s kv.Store) {
	rev := put(t, s, "p/a", "1", 0)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			var err error
			if rev, err = s.Write(t.Context(), kv.Write{Key: "p/a", Value: []byte("x"), IfRev: rev}); err != nil {
				t.Errorf("write: %v", err)
				return
			}
		}
	}()
	for writing := true; writing; {
		select {
		case <-done:
			writing = false
		default:
		}
		got, err := s.Get(t.Context(), "p/a")
		if err != nil {
			t.Fatal(err)
		}
		if now := revision(t, s); now < got.Revision {
			t.Fatalf("the key was read with revision %d, then the store said that it is at %d", got.Revision, now)
		}
		if _, res := list(t, s, at(kv.Prefix("p/"), got.Revision)); res.KVs[0].Revision != got.Revision {
			t.Fatalf("the key was read with revision %d, and as of that revision it is of %d", got.Revision, res.KVs[0].Revision)
		}
	}
}
