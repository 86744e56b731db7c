package app

import (
	"fmt"
	"os"
	"path/filepath"

	"example.com/kube-apiserver/stage2-options/options"
)

// Preflight looks whether the backend can be there at all. Nothing is read,
// written or kept open: what the article calls the process that syncs to etcd
// does not exist.
//
// Upstream: cmd/kube-apiserver/app/preflight/checks.go CheckEtcdServers
func Preflight(s *options.ServerRunOptions) error {
	done := s.Startup.Step("A3.7", "backend preflight")
	file := s.Etcd.BBoltFile
	info, err := os.Stat(file)
	switch {
	case os.IsNotExist(err):
		folder := existingParent(file)
		if err := writable(folder); err != nil {
			return fmt.Errorf("--bbolt-file=%s: %w (give a file in a folder that can be written to)", file, err)
		}
		done("%s: will be created", file)
	case err != nil:
		return fmt.Errorf("--bbolt-file=%s: %w", file, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("--bbolt-file=%s: not a file (give the path of a file that does not exist yet)", file)
	default:
		done("%s: %d bytes", file, info.Size())
	}
	return nil
}

// existingParent is the nearest folder above file that is there.
func existingParent(file string) string {
	folder := filepath.Dir(file)
	for {
		if _, err := os.Stat(folder); err == nil || folder == filepath.Dir(folder) {
			return folder
		}
		folder = filepath.Dir(folder)
	}
}

// writable tries: permission bits alone do not tell, for root or on a
// read-only file system.
func writable(folder string) error {
	f, err := os.CreateTemp(folder, ".writable-*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}
