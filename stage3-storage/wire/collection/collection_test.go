package collection_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/collection"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
)

// crowd is a plugin that sees how many deletions are under way at a time.
type crowd struct {
	admission.Handler
	expected int // so many wait until all of them have come

	mu      sync.Mutex // guards what follows
	names   []string
	here    int
	most    int
	waiting chan struct{} // closed when the expected have come
}

func newCrowd(expected int) *crowd {
	return &crowd{Handler: admission.Handler{rest.Delete}, expected: expected, waiting: make(chan struct{})}
}

func (c *crowd) Validate(_ context.Context, a *admission.Attributes) error {
	c.mu.Lock()
	c.names = append(c.names, a.Key.Name)
	c.here++
	c.most = max(c.most, c.here)
	if len(c.names) == c.expected {
		close(c.waiting)
	}
	c.mu.Unlock()
	<-c.waiting
	c.mu.Lock()
	defer c.mu.Unlock()
	c.here--
	return nil
}

// fleet is a harbor with so many boats, and with a plugin that sees each go.
func fleet(t *testing.T, size int, plugin optionsadmission.Interface) *registry.Store {
	t.Helper()
	engine, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: filepath.Join(t.TempDir(), "state.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	kind := registry.Kind{Resource: catalog.Resource{Version: "v1", Name: "boats", Kind: "Boat", Namespaced: true, StoredUnder: "boats"}}
	s, err := registry.NewStore(kind, &registry.StorageFactory{RESTOptions: registry.RESTOptions{
		Storage: storage.New(engine), Prefix: "/registry", Rules: metadata.Rules{}, Admission: admission.Chain{plugin},
	}})
	if err != nil {
		t.Fatal(err)
	}
	boat := rest.Write{Wanted: requests.Wanted(func(*object.Encoded) (map[string]any, error) { return map[string]any{}, nil })}
	for i := range size {
		if _, err := s.Create(t.Context(), rest.Key{Namespace: "harbor", Name: fmt.Sprintf("boat%02d", i)}, boat); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// sink deletes the whole fleet.
func sink(t *testing.T, s *registry.Store, workers int) (sunk int, err error) {
	t.Helper()
	list, err := s.List(t.Context(), "harbor", rest.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return len(list.Items), collection.Delete(t.Context(), s, list.Items, rest.DeleteOptions{}, workers)
}

func TestSoManyWorkersDeleteACollection(t *testing.T) {
	const size = 40
	for _, workers := range []int{0, 1, 3} {
		plugin := newCrowd(max(workers, 1))
		s := fleet(t, size, plugin)
		if sunk, err := sink(t, s, workers); err != nil || sunk != size {
			t.Fatalf("with %d workers: got %d objects and %v, want all %d", workers, sunk, err, size)
		}
		if plugin.most != max(workers, 1) {
			t.Errorf("with %d workers %d deletions were under way at a time", workers, plugin.most)
		}
		if workers < 2 && !slices.IsSorted(plugin.names) {
			t.Errorf("one worker deletes in the order of names, it did %q", plugin.names)
		}
		if left, _ := s.List(t.Context(), "harbor", rest.ListOptions{}); len(left.Items) != 0 {
			t.Errorf("with %d workers %d objects are left", workers, len(left.Items))
		}
	}
}

// rock is a plugin that answers the deletion of one boat in its own way.
type rock struct {
	admission.Handler
	name  string
	sinks func() error
}

func (r rock) Validate(_ context.Context, a *admission.Attributes) error {
	if a.Key.Name == r.name {
		return r.sinks()
	}
	return nil
}

func TestTheFirstErrorEndsTheDeletionOfACollection(t *testing.T) {
	for says, sinks := range map[string]func() error{
		"not this one":        func() error { return status.BadRequest("not this one") },
		"goroutine panicked:": func() error { panic("no chart") }, // and the server lives on
	} {
		for _, workers := range []int{1, 4} {
			s := fleet(t, 40, rock{admission.Handler{rest.Delete}, "boat05", sinks})
			_, err := sink(t, s, workers)
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("with %d workers: want the error that says %q, got %v", workers, says, err)
			}
			left, _ := s.List(t.Context(), "harbor", rest.ListOptions{})
			if workers == 1 && len(left.Items) != 35 || len(left.Items) == 0 {
				t.Errorf("with %d workers %d boats are left, and nobody begins another one after an error", workers, len(left.Items))
			}
		}
	}
}
