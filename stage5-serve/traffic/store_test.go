package traffic_test

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage5-serve/traffic"
)

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
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics must have %s, they are\n%s", want, text)
		}
	}
}
