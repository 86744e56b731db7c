package registry_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
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

func fleet(t *testing.T, size int) *registry.Store {
	t.Helper()
	s := open(t)
	for i := range size {
		create(t, s, fmt.Sprintf(`{"metadata":{"name":"boat%02d"},"spec":{}}`, i))
	}
	return s
}

func TestSoManyWorkersDeleteACollection(t *testing.T) {
	const size = 40
	for _, workers := range []int{0, 1, 3} {
		s := fleet(t, size)
		plugin := newCrowd(max(workers, 1))
		s.Admission, s.DeleteCollectionWorkers = admission.Chain{plugin}, workers
		list, err := s.DeleteCollection(t.Context(), "harbor", rest.DeleteOptions{}, rest.ListOptions{})
		if err != nil || len(list.Items) != size {
			t.Fatalf("with %d workers: got %d objects and %v, want all %d", workers, len(list.Items), err, size)
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
			s := fleet(t, 40)
			s.Admission, s.DeleteCollectionWorkers = admission.Chain{rock{admission.Handler{rest.Delete}, "boat05", sinks}}, workers
			_, err := s.DeleteCollection(t.Context(), "harbor", rest.DeleteOptions{}, rest.ListOptions{})
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
