package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary be the server: a child process with this
// variable set runs the real main.
func TestMain(m *testing.M) {
	if os.Getenv("RUN_MAIN") == "1" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child runs main with these arguments. It is killed when the test ends.
func child(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), "RUN_MAIN=1")
	return cmd
}

func exitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

func TestErratumE2(t *testing.T) {
	t.Log("the article writes -version; the flag is --version, and -version is read as something else")
	out, err := child(t, "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "Kubernetes v1.") {
		t.Errorf("--version prints the version to stdout and exits 0: got %q, %v", out, err)
	}
	out, err = child(t, "--version=raw").Output()
	if err != nil || !strings.Contains(string(out), `GitVersion:"v1.`) {
		t.Errorf("--version=raw prints all that is known: got %q, %v", out, err)
	}
	refused := child(t, "-version")
	var stderr strings.Builder
	refused.Stderr = &stderr
	if err := refused.Run(); exitCode(err) != 2 {
		t.Errorf("-version is not a flag and exits with 2, got %d", exitCode(err))
	}
	t.Logf("what -version says: %s", strings.TrimSpace(stderr.String()))
	if !strings.Contains(stderr.String(), `"ersion"`) {
		t.Errorf("one dash means letters: -version is -v with the value \"ersion\", and the message should say so, got %q", stderr.String())
	}
}

// failedRun runs main on a port that is taken, and returns what it said.
func failedRun(t *testing.T, args ...string) (code int, port, stderr string) {
	t.Helper()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port = strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	cmd := child(t, append(args, "--insecure-port="+port)...)
	var said strings.Builder
	cmd.Stderr = &said
	code = exitCode(cmd.Run())
	return code, port, said.String()
}

func TestAFailedRunSaysWhyAndExitsWith1(t *testing.T) {
	code, port, stderr := failedRun(t)
	if code != 1 {
		t.Errorf("a port in use ends the process with 1, got %d", code)
	}
	if !strings.Contains(stderr, "--insecure-port="+port) {
		t.Errorf("stderr must name the flag, got %q", stderr)
	}
}

func TestLogsSurviveAFailedRun(t *testing.T) {
	code, _, stderr := failedRun(t, "-v=1")
	if code != 1 {
		t.Errorf("a run that fails ends the process with 1, got %d", code)
	}
	if !strings.Contains(stderr, "Version: v1.") {
		t.Errorf("Run logged its version before it failed, but that line never reached stderr: it was still in the buffer when the process ended. stderr was %q", stderr)
	}
}

func TestFirstSignalStopsInOrder(t *testing.T) {
	cmd := child(t, "--insecure-port=0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "serving ") {
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, stderr)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the first SIGTERM stops the server in order, with code 0: got %v", err)
	}
}
