package app

import (
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/preflight"
)

// Preflight looks whether the store can be there at all. It waits for it a
// while, but no longer than until the process is told to stop.
//
// Upstream: cmd/kube-apiserver/app/preflight/checks.go CheckEtcdServers
func Preflight(s *options.ServerRunOptions) error {
	done := s.Startup.Step("A3.7", "backend preflight")
	found, err := preflight.Check(s.StopCh, s.Etcd)
	if err != nil {
		return err
	}
	done("%s", found)
	return nil
}
