package app

import (
	"context"
	"fmt"
	"time"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
)

// Backends are the engines that --storage-backend may name.
var Backends = map[string]func(context.Context, *options.EtcdOptions) (kv.Store, error){
	"bbolt": func(ctx context.Context, o *options.EtcdOptions) (kv.Store, error) {
		return bboltkv.Open(ctx, bboltkv.Options{Path: o.BBoltFile, HistoryAge: o.HistoryAge, HistoryBytes: o.HistoryBytes})
	},
}

// openBackend opens the store. Everything that was kept is there when it returns.
func openBackend(ctx context.Context, s *options.ServerRunOptions) (kv.Store, error) {
	done := s.Startup.Step("A3.7", "backend")
	open, ok := Backends[s.Etcd.StorageBackend]
	if !ok {
		return nil, fmt.Errorf("--storage-backend=%s: no such engine here (use bbolt)", s.Etcd.StorageBackend)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	store, err := open(ctx, s.Etcd)
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
