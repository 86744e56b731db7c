//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package preflight

import (
	"errors"
	"os"
	"syscall"
)

// lock tries to get the lock that bbolt takes on its file.
func lock(f *os.File) (got bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
