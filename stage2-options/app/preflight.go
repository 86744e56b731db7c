package app

import (
	"fmt"
	"time"

	"example.com/kube-apiserver/stage1-main/process/wait"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/preflight"
)

// Preflight looks whether the store can be there at all. It waits for it a
// while, but no longer than until the process is told to stop.
//
// Upstream: cmd/kube-apiserver/app/preflight/checks.go CheckEtcdServers
func Preflight(s *options.ServerRunOptions) error {
	ctx, cancel := wait.ContextForChannel(s.StopCh)
	defer cancel()
	done := s.Startup.Step("A3.7", "backend preflight")
	if s.Etcd.StorageBackend == "etcd3" {
		answers, err := preflight.CheckEtcdServers(ctx, s.Etcd.ServerList, time.Minute)
		if err != nil {
			return fmt.Errorf("--etcd-servers: %w", err)
		}
		done("etcd: %s accepts connections", answers)
		return nil
	}
	bytes, err := preflight.CheckFile(ctx, s.Etcd.BBoltFile, 3*time.Second)
	switch {
	case err != nil:
		return fmt.Errorf("--bbolt-file=%s: %w", s.Etcd.BBoltFile, err)
	case bytes < 0:
		done("%s: will be created", s.Etcd.BBoltFile)
	default:
		done("%s: %d bytes", s.Etcd.BBoltFile, bytes)
	}
	return nil
}
