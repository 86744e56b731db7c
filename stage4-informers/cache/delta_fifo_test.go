package cache_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage4-informers/cache"
)

// pop returns the next entry as text: "Added a=1, Updated a=2". It does not
// wait where there is none, because it first puts something behind all others.
func pop(t *testing.T, f *cache.DeltaFIFO) string {
	t.Helper()
	var entry []string
	err := f.Add(encoded("end", "", 1))
	if err == nil {
		f.Pop(func(_ string, deltas []cache.Delta) {
			for _, d := range deltas {
				entry = append(entry, fmt.Sprintf("%s %s", d.Type, text(d.Object)))
			}
		})
	}
	if err != nil || len(entry) == 0 {
		t.Fatalf("nothing was popped (error: %v)", err)
	}
	if entry[0] == "Added end=" {
		t.Fatal("the queue is empty where another entry should be")
	}
	return strings.Join(entry, ", ")
}

// fill makes a queue in front of a cache that holds known, and lets act use it.
func fill(t *testing.T, known []string, act func(*cache.DeltaFIFO) error) *cache.DeltaFIFO {
	t.Helper()
	indexer := cache.NewIndexer()
	for _, key := range known {
		indexer.Update(key, encoded(key, "cached", 1))
	}
	f := cache.NewDeltaFIFO(indexer)
	if err := act(f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDeltasOfOneObjectAreGathered(t *testing.T) {
	a := func(value string) *object.Encoded { return encoded("a", value, 1) }
	for _, row := range []struct {
		claim string
		known []string
		act   func(*cache.DeltaFIFO) error
		want  string
	}{
		{"changes of one object come as one entry, oldest first", nil, func(f *cache.DeltaFIFO) error {
			return errors.Join(f.Add(a("1")), f.Update(a("2")), f.Update(a("3")))
		}, "Added a=1, Updated a=2, Updated a=3"},
		{"two deletions in a row are one", []string{"a"}, func(f *cache.DeltaFIFO) error {
			return errors.Join(f.Delete(a("1")), f.Delete(a("2")))
		}, "Deleted a=1"},
		{"of two deletions the one that was seen is kept", []string{"a"}, func(f *cache.DeltaFIFO) error {
			return errors.Join(f.Delete(a("seen")), f.Replace(nil))
		}, "Deleted a=seen"},
		{"a deletion between two lives is not merged away", []string{"a"}, func(f *cache.DeltaFIFO) error {
			return errors.Join(f.Delete(a("1")), f.Add(a("2")), f.Delete(a("3")))
		}, "Deleted a=1, Added a=2, Deleted a=3"},
		{"an object that a list has again after its deletion is not lost", []string{"a"}, func(f *cache.DeltaFIFO) error {
			return errors.Join(f.Delete(a("1")), f.Replace([]*object.Encoded{a("2")}))
		}, "Deleted a=1, Replaced a=2"},
		{"a list without a known object deletes it, in its last known state", []string{"a"}, func(f *cache.DeltaFIFO) error {
			return f.Replace(nil)
		}, "Deleted last known a=cached"},
		{"a list without an object that is still queued deletes that, too", nil, func(f *cache.DeltaFIFO) error {
			return errors.Join(f.Add(a("1")), f.Replace(nil))
		}, "Added a=1, Deleted last known a=1"},
		{"a resync has the object as it is cached", []string{"a"}, func(f *cache.DeltaFIFO) error {
			f.Resync()
			return nil
		}, "Sync a=cached"},
		{"a resync leaves out what is queued anyway", []string{"a"}, func(f *cache.DeltaFIFO) error {
			err := f.Update(a("2"))
			f.Resync()
			return err
		}, "Updated a=2"},
	} {
		t.Run(row.claim, func(t *testing.T) {
			f := fill(t, row.known, row.act)
			if got := pop(t, f); got != row.want {
				t.Errorf("the entry is %q, want %q", got, row.want)
			}
		})
	}
}

func TestAnObjectKeepsItsPlaceInTheQueue(t *testing.T) {
	f := fill(t, nil, func(f *cache.DeltaFIFO) error {
		return errors.Join(f.Add(encoded("a", "1", 1)), f.Add(encoded("b", "1", 2)), f.Update(encoded("a", "2", 3)))
	})
	expect(t, "the entries", []string{pop(t, f), pop(t, f)}, []string{"Added a=1, Updated a=2", "Added b=1"})
}

func TestADeletionOfWhatNobodyHeardOfIsIgnored(t *testing.T) {
	f := fill(t, nil, func(f *cache.DeltaFIFO) error {
		return errors.Join(f.Delete(encoded("unknown", "1", 1)), f.Add(encoded("a", "1", 2)))
	})
	if got := pop(t, f); got != "Added a=1" {
		t.Errorf("the first entry is %q, want that of a: nobody can miss what he never had", got)
	}
}

func TestSyncedMeansTheFirstListIsPopped(t *testing.T) {
	f := fill(t, []string{"gone"}, func(f *cache.DeltaFIFO) error { return nil })
	if f.HasSynced() {
		t.Error("the queue has synced before there was a list")
	}
	if err := f.Replace([]*object.Encoded{encoded("a", "1", 1), encoded("a", "1", 1)}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Replaced a=1, Replaced a=1", "Deleted last known gone=cached"} {
		if f.HasSynced() {
			t.Errorf("the queue has synced with %q still in it", want)
		}
		if got := pop(t, f); got != want {
			t.Errorf("the entry is %q, want %q", got, want)
		}
	}
	if !f.HasSynced() {
		t.Error("the queue has not synced although all of the first list was popped")
	}
	if err := f.Replace([]*object.Encoded{encoded("b", "1", 2)}); err != nil || !f.HasSynced() {
		t.Errorf("the queue is no longer synced after a second list (error: %v); synced is for good", err)
	}
}

func TestAnEmptyFirstListIsSyncedAtOnce(t *testing.T) {
	f := fill(t, nil, func(f *cache.DeltaFIFO) error { return f.Replace(nil) })
	if !f.HasSynced() {
		t.Error("an empty collection never syncs, so nobody who waits for it ever starts")
	}
}

func TestAClosedQueueEndsItsConsumer(t *testing.T) {
	f := fill(t, nil, func(f *cache.DeltaFIFO) error { return f.Add(encoded("a", "1", 1)) })
	f.Close()
	if f.Pop(func(string, []cache.Delta) {}) {
		t.Error("Pop took something from a closed queue, so its consumer goes on for ever")
	}
}
