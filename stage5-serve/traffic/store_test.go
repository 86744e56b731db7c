package traffic_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage5-serve/traffic"
)

func TestWritesThatBecomeDurableTogetherAreCounted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.db")
	inner, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	m := traffic.NewMetrics(file)
	s := m.Timed(inner)
	defer s.Close()
	commits := 0
	s.Tell(func([]kv.Event) { commits++ })
	var writers sync.WaitGroup
	for i := range 50 {
		writers.Go(func() {
			if _, err := s.Write(t.Context(), kv.Write{Key: fmt.Sprint("/registry/pods/ns/", i), Value: []byte("1")}); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	text := ask(m.Handler(), alice, "GET", "/metrics").Body.String()
	for _, want := range []string{"apiserver_storage_writes_per_commit_sum 50", fmt.Sprint("apiserver_storage_writes_per_commit_count ", commits)} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("50 writes have shared %d commits, so the metrics must have %s, they are\n%s", commits, want, text)
		}
	}
}

func TestWritesOfTheStoreAreTimed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.db")
	inner, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	m := traffic.NewMetrics(file)
	s := m.Timed(inner)
	defer s.Close()
	var told []kv.Event
	if !s.Tell(func(events []kv.Event) { told = append(told, events...) }) {
		t.Error("the store inside tells of its commits, so the timed one must: else every Cacher of the server reads each change from the disk")
	}
	rev, err := s.Write(t.Context(), kv.Write{Key: "/registry/pods/ns/a", Value: []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(t.Context(), "/registry/pods/ns/a"); err != nil || string(got.Value) != "1" {
		t.Errorf("the store itself must be unchanged, got %q, %v", got.Value, err)
	}
	if _, err := s.Write(t.Context(), kv.Write{Key: "/registry/pods/ns/a", Delete: true, IfRev: rev}); err != nil {
		t.Error(err)
	}
	if len(told) != 2 {
		t.Errorf("two writes must have been told of, they are %d", len(told))
	}
	text := ask(m.Handler(), alice, "GET", "/metrics").Body.String()
	for _, want := range []string{
		`etcd_request_duration_seconds_count{operation="create",type="pods"} 1`, `etcd_request_duration_seconds_count{operation="delete",type="pods"} 1`, "apiserver_storage_size_bytes ",
		"apiserver_storage_writes_per_commit_sum 2", "apiserver_storage_writes_per_commit_count 2", // one after the other
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics must have %s, they are\n%s", want, text)
		}
	}
}
