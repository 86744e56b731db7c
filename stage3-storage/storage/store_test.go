package storage_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/storage"
)

func open(t testing.TB) storage.Interface {
	t.Helper()
	s, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: filepath.Join(t.TempDir(), "state.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return storage.New(s)
}

func named(name, value string) *object.Object {
	return &object.Object{APIVersion: "v1", Kind: "ConfigMap", Meta: object.Meta{Name: name}, Fields: map[string]any{"data": map[string]any{"k": value}}}
}

// set stores an object whatever is there.
func set(t testing.TB, s storage.Interface, key string, obj *object.Object) *object.Encoded {
	t.Helper()
	got, err := storage.GuaranteedUpdate(t.Context(), s, key, func(*object.Encoded) (*object.Object, time.Duration, error) { return obj, 0, nil })
	if err != nil {
		t.Fatalf("storing %s: %v", key, err)
	}
	return got
}

func TestADeletedKeyCanBeMadeAnew(t *testing.T) {
	s := open(t)
	for range 2 {
		set(t, s, "/p/a", named("a", "1"))
		set(t, s, "/p/a", nil) // a nil object deletes
		if _, err := s.Get(t.Context(), "/p/a"); !errors.Is(err, kv.ErrNotFound) {
			t.Fatalf("after the deletion: got %v, want ErrNotFound", err)
		}
	}
}

func TestAWriteThatChangesNothingKeepsTheRevision(t *testing.T) {
	s := open(t)
	first := set(t, s, "/p/a", named("a", "1"))
	if again := set(t, s, "/p/a", named("a", "1")); again.Revision() != first.Revision() {
		t.Errorf("the same object was stored again: revision %d became %d", first.Revision(), again.Revision())
	}
}

func TestNoUpdateIsLostAmongManyWriters(t *testing.T) {
	s := open(t)
	set(t, s, "/p/a", named("a", ""))
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			_, err := storage.GuaranteedUpdate(context.Background(), s, "/p/a", func(live *object.Encoded) (*object.Object, time.Duration, error) {
				shared, err := live.Object()
				if err != nil {
					return nil, 0, err
				}
				obj := shared.DeepCopy()
				data := obj.Fields["data"].(map[string]any)
				data["k"] = data["k"].(string) + "x"
				return obj, 0, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got, err := s.Get(t.Context(), "/p/a")
	if err != nil {
		t.Fatal(err)
	}
	obj, err := got.Object()
	if err != nil {
		t.Fatal(err)
	}
	if k := obj.Fields["data"].(map[string]any)["k"]; k != "xxxxxxxxxx" {
		t.Errorf("ten writers each added an x, and there is %q", k)
	}
}

func TestPagesOfAListAreOneMoment(t *testing.T) {
	s := open(t)
	for i := range 7 {
		set(t, s, fmt.Sprintf("/p/c%d", i), named(fmt.Sprint("c", i), "1"))
	}
	page, err := s.List(t.Context(), "/p/", storage.ListOptions{Limit: 3})
	if err != nil || len(page.Items) != 3 || page.Remaining != 4 {
		t.Fatalf("the first page has 3 of 7 objects, got %d with %d behind them, %v", len(page.Items), page.Remaining, err)
	}
	set(t, s, "/p/c3x", named("c3x", "1"))
	set(t, s, "/p/c5", nil)
	seen := ""
	for _, item := range page.Items {
		seen += name(t, item)
	}
	rest, err := s.List(t.Context(), "/p/", storage.ListOptions{Revision: page.Revision, Start: page.Keys[2] + "\x00"})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range rest.Items {
		seen += name(t, item)
	}
	if want := "c0 c1 c2 c3 c4 c5 c6 "; seen != want {
		t.Errorf("what came or went after the first page does not show: got %q, want %q", seen, want)
	}
}

func name(t *testing.T, e *object.Encoded) string {
	t.Helper()
	obj, err := e.Object()
	if err != nil {
		t.Fatal(err)
	}
	return obj.Meta.Name + " "
}
