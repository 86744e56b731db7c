package preflight_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/kube-apiserver/stage2-options/preflight"
)

func TestAFileThatIsNotThereNeedsAFolderThatCanBeWrittenTo(t *testing.T) {
	folder := t.TempDir()
	bytes, err := preflight.CheckFile(t.Context(), filepath.Join(folder, "a", "b", "state.db"), 0)
	if bytes != -1 || err != nil {
		t.Errorf("a file in folders to be made will be made: got %d, %v", bytes, err)
	}
	if rest, _ := os.ReadDir(folder); len(rest) != 0 {
		t.Errorf("looking must leave nothing behind, there is %v", rest)
	}
	blocked := filepath.Join(folder, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := preflight.CheckFile(t.Context(), filepath.Join(blocked, "state.db"), 0); err == nil {
		t.Error("no file can be made below a file")
	}
	if os.Getuid() == 0 {
		return // may write everywhere
	}
	locked := filepath.Join(folder, "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := preflight.CheckFile(t.Context(), filepath.Join(locked, "state.db"), 0); !errors.Is(err, os.ErrPermission) {
		t.Errorf("a folder that nobody may write to is an error that says so, got %v", err)
	}
}

func TestAFolderIsNoFile(t *testing.T) {
	if _, err := preflight.CheckFile(t.Context(), t.TempDir(), 0); err == nil || !strings.HasPrefix(err.Error(), "not a file ") {
		t.Errorf("got %v", err)
	}
}

// lockedFile is one that somebody has locked, and how to let go of it.
func lockedFile(t *testing.T) (path string, unlock func()) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "state.db")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return path, func() { f.Close() }
}

func TestAFileThatAnotherProcessHasIsAnErrorAfterAWhile(t *testing.T) {
	path, _ := lockedFile(t)
	if _, err := preflight.CheckFile(t.Context(), path, time.Millisecond); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Errorf("got %v", err)
	}
}

func TestAProcessThatJustEndsMayLetGoOfTheFile(t *testing.T) {
	path, unlock := lockedFile(t)
	result := make(chan error)
	go func() {
		_, err := preflight.CheckFile(t.Context(), path, time.Hour)
		result <- err
	}()
	unlock()
	if err := <-result; err != nil {
		t.Errorf("the file is free, but %v", err)
	}
	if bytes, err := preflight.CheckFile(t.Context(), path, 0); bytes != 0 || err != nil {
		t.Errorf("the check itself must let go of the file: got %d bytes, %v", bytes, err)
	}
}

func TestWhoIsToldToStopDoesNotWaitForTheStore(t *testing.T) {
	path, _ := lockedFile(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := preflight.CheckFile(ctx, path, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for a lock: got %v", err)
	}
	if _, err := preflight.CheckEtcdServers(ctx, []string{"http://127.0.0.1:1"}, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for etcd: got %v", err)
	}
}

func TestOneServerOfEtcdThatAcceptsIsEnough(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	answers, err := preflight.CheckEtcdServers(t.Context(), []string{"http://127.0.0.1:1", "http://" + ln.Addr().String()}, time.Hour)
	if err != nil || answers != ln.Addr().String() {
		t.Errorf("the second server accepts: got %q, %v", answers, err)
	}
}

func TestEtcdThatNobodyServesIsAnErrorThatSaysWhy(t *testing.T) {
	_, err := preflight.CheckEtcdServers(t.Context(), []string{"http://127.0.0.1:1"}, time.Millisecond)
	if !errors.Is(err, syscall.ECONNREFUSED) || !strings.Contains(err.Error(), "within 1ms") {
		t.Errorf("got %v", err)
	}
}

func TestAServerThatIsNoURLIsAnErrorAtOnce(t *testing.T) {
	for _, server := range []string{"127.0.0.1:2379", "http://127.0.0.1", "http://me:secret@[::1", ""} {
		_, err := preflight.CheckEtcdServers(t.Context(), []string{server}, time.Hour)
		if err == nil || !strings.Contains(err.Error(), "number 1 is no URL") {
			t.Errorf("%q: got %v", server, err)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
}
