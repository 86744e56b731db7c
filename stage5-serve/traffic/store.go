package traffic

import (
	"context"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
)

// Timed is a store whose writes are timed, from when they are handed over until
// they are durable: with many writers most of that is waiting for a batch.
//
// How many share a batch is counted where the store tells of its commits.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/etcd/metrics/metrics.go RecordEtcdRequestLatency
// Now: staging/src/k8s.io/apiserver/pkg/storage/etcd3/metrics/metrics.go RecordEtcdRequest
func (m *Metrics) Timed(s kv.Store) kv.Store {
	s.Tell(func(events []kv.Event) { m.commits.Observe(float64(len(events))) })
	return timed{s, m}
}

// TimedBackend opens a store whose writes are timed.
func (m *Metrics) TimedBackend(open func(context.Context) (kv.Store, error)) func(context.Context) (kv.Store, error) {
	return func(ctx context.Context) (kv.Store, error) {
		store, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return m.Timed(store), nil
	}
}

type timed struct {
	kv.Store
	metrics *Metrics
}

// Write is part of kv.Store.
func (t timed) Write(ctx context.Context, w kv.Write) (int64, error) {
	start := time.Now()
	rev, err := t.Store.Write(ctx, w)
	t.metrics.writes.WithLabelValues(operation(w), typeOf(w.Key)).Observe(time.Since(start).Seconds())
	return rev, err
}

// typeOf is the resource in a key: /registry/pods/ns/name.
func typeOf(key string) string {
	parts := strings.SplitN(key, "/", 4)
	if len(parts) < 4 {
		return ""
	}
	return parts[2]
}

func operation(w kv.Write) string {
	switch {
	case w.Delete:
		return "delete"
	case w.IfRev == 0:
		return "create"
	}
	return "update"
}
