package preflight

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"time"

	"example.com/kube-apiserver/stage1-main/process/wait"
)

// CheckFile says whether the engine will be able to open its file: whether it
// is one, may be read and written, and no other process has it, or if it is
// not there, whether its folder can be written to. A process that is just
// ending gets some time to let go of the file. The answer is -1, or how many
// bytes the file has.
func CheckFile(ctx context.Context, file string, within time.Duration) (bytes int64, err error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return -1, writable(existingParent(file))
	case err != nil:
		return 0, err
	case !info.Mode().IsRegular():
		return 0, errors.New("not a file (give the path of a file that does not exist yet)")
	}
	if others := info.Mode().Perm() & 0o077; others != 0 {
		log.Printf("%s holds secrets, and others than its owner may open it: chmod 600 %[1]s", file)
	}
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close() // and with it the lock
	err = wait.PollImmediate(ctx, 50*time.Millisecond, within, func() (bool, error) { return lock(f) })
	if errors.Is(err, wait.ErrWaitTimeout) {
		err = errors.New("another process has it open (stop that one, or give another file)")
	}
	return info.Size(), err
}

// existingParent is the nearest folder above file that is there; those between
// are made with the file.
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
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err // without the name that was tried
		}
		return fmt.Errorf("folder %s: %w (give a file in a folder that can be written to)", folder, err)
	}
	f.Close()
	return os.Remove(f.Name())
}
