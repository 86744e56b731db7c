package main

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

// The kernel gives the first process of a container no default for signals:
// who does not handle SIGTERM is not ended by it.
func TestItStopsInOrderAsTheFirstProcess(t *testing.T) {
	cmd := child(t, "--insecure-port=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	probe := child(t, "--version")
	probe.SysProcAttr = cmd.SysProcAttr
	if err := probe.Run(); errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSPC) {
		t.Skipf("a container cannot be made here: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	s := serve(t, cmd)
	if code := s.end(t, syscall.SIGTERM); code != 0 {
		t.Errorf("the first SIGTERM stops the server in order, with code 0: got %d\n%s", code, s.stderr.String())
	}
}
