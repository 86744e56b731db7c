package app

import (
	"context"
	"fmt"
	"time"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
)

// openBackend opens the store. Everything that was kept is there when it
// returns. Validate has let no --storage-backend through but bbolt; to the rest
// of the server, the engine is a kv.Store like any other.
func openBackend(ctx context.Context, s *options.ServerRunOptions) (kv.Store, error) {
	done := s.Startup.Step("A3.7", "backend")
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	store, err := bboltkv.Open(ctx, bboltkv.Options{Path: s.Etcd.BBoltFile, HistoryAge: s.Etcd.HistoryAge, HistoryBytes: s.Etcd.HistoryBytes})
	if err != nil {
		return nil, fmt.Errorf("--bbolt-file=%s: %w", s.Etcd.BBoltFile, err)
	}
	revision, err := store.Revision(ctx)
	if err != nil {
		return nil, err
	}
	done("bbolt %s, revision %d", s.Etcd.BBoltFile, revision)
	return store, nil
}
