package cache_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage4-informers/cache"
)

// server stands for the API server: one collection with its whole history. It
// keeps a list of the requests that it got.
type server struct {
	afterList func() // called when a list has been made and its client does not have it yet

	mu        sync.Mutex // guards what follows
	rev       int64
	live      map[string]*object.Encoded
	history   []cache.Event
	compacted int64 // history up to here is gone
	epoch     int   // streams of an earlier epoch end
	failure   error // how they end; nil is the normal way
	requests  []string
	changed   chan struct{} // closed and replaced at each change
}

func newServer(keys ...string) *server {
	s := &server{live: map[string]*object.Encoded{}, changed: make(chan struct{})}
	s.do(func() {
		for _, key := range keys {
			s.put(key, "1")
		}
	})
	return s
}

// do makes changes that clients see as one moment.
func (s *server) do(changes func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changes()
	close(s.changed)
	s.changed = make(chan struct{})
}

// put, remove, compact and disconnect are for use inside do.
func (s *server) put(key, value string) {
	t := cache.EventModified
	if s.live[key] == nil {
		t = cache.EventAdded
	}
	s.rev++
	s.live[key] = encoded(key, value, s.rev)
	s.history = append(s.history, cache.Event{Type: t, Object: s.live[key]})
}

func (s *server) remove(key string) {
	s.rev++
	s.history = append(s.history, cache.Event{Type: cache.EventDeleted, Object: s.live[key].At(s.rev)})
	delete(s.live, key)
}

func (s *server) compact() { s.compacted = s.rev }

func (s *server) disconnect(failure error) { s.epoch, s.failure = s.epoch+1, failure }

func (s *server) List(_ context.Context) (cache.List, error) {
	s.mu.Lock()
	s.requests = append(s.requests, "LIST")
	list := cache.List{Items: slices.Collect(maps.Values(s.live)), ResourceVersion: strconv.FormatInt(s.rev, 10)}
	s.mu.Unlock()
	if s.afterList != nil {
		s.afterList()
	}
	return list, nil
}

func (s *server) Watch(ctx context.Context, version string) iter.Seq2[cache.Event, error] {
	return func(yield func(cache.Event, error) bool) {
		at, mine := s.open(version)
		for ctx.Err() == nil {
			s.mu.Lock()
			events, compacted, ended, failure, changed := s.history, s.compacted, s.epoch != mine, s.failure, s.changed
			s.mu.Unlock()
			if at < compacted {
				yield(cache.Event{}, status.Expired("too old resource version: %d (%d)", at, compacted))
				return
			}
			if ended {
				if failure != nil {
					yield(cache.Event{}, failure)
				}
				return
			}
			for _, ev := range events {
				if ev.Object.Revision() <= at {
					continue
				}
				if !yield(ev, nil) {
					return
				}
				at = ev.Object.Revision()
			}
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
	}
}

// open begins a stream. Without a version it starts now, so whoever forgets
// the version misses what happened since his list.
func (s *server) open(version string) (at int64, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, "WATCH "+version)
	if version == "" {
		return s.rev, s.epoch
	}
	at, _ = strconv.ParseInt(version, 10, 64)
	return at, s.epoch
}

func (s *server) requested() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// encoded makes an object of a key and one value.
func encoded(key, value string, rev int64) *object.Encoded {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		panic(err)
	}
	return object.NewEncoded((&object.Object{APIVersion: "v1", Kind: "ConfigMap",
		Meta: object.Meta{Namespace: namespace, Name: name}, Fields: map[string]any{"data": map[string]any{"k": value}}}).Encode(), rev)
}

// text is an object as the tests write it: "default/a=1".
func text(obj any) string {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		return "last known " + text(gone.Obj)
	}
	o, err := obj.(*object.Encoded).Object()
	if err != nil {
		return err.Error()
	}
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s=%s", key, o.Fields["data"].(map[string]any)["k"])
}

// recorder is a handler that writes down what it hears.
type recorder struct {
	mu    sync.Mutex // guards heard
	heard []string
}

func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard = append(r.heard, fmt.Sprintf(format, args...))
}

func (r *recorder) OnAdd(obj any)         { r.note("add %s", text(obj)) }
func (r *recorder) OnUpdate(old, new any) { r.note("update %s to %s", text(old), text(new)) }
func (r *recorder) OnDelete(obj any)      { r.note("delete %s", text(obj)) }

// take returns what was heard since the last take.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	heard := r.heard
	r.heard = nil
	return heard
}

// run runs an informer until the test ends, and waits until nothing moves any
// more. It is for use in a bubble of synctest, as all that follows.
func run(t *testing.T, informer cache.SharedInformer) {
	t.Helper()
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		informer.Run(stop)
	}()
	t.Cleanup(func() {
		close(stop)
		<-done
	})
	synctest.Wait()
}

// step moves the bubble's clock.
func step(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func expect(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got  %q\n want %q", what, got, want)
	}
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

func cached(store cache.Store) []string {
	var list []string
	for _, obj := range store.List() {
		list = append(list, text(obj))
	}
	return sorted(list)
}

var errCut = fmt.Errorf("the connection broke: %w", io.ErrUnexpectedEOF)
