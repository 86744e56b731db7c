package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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

// server is a child that serves, and what it printed meanwhile.
type server struct {
	cmd            *exec.Cmd
	url            string
	stdout, stderr strings.Builder
	read           chan struct{} // closed once stderr has ended
}

// serve starts a child and waits until it serves.
func serve(t *testing.T, cmd *exec.Cmd) *server {
	t.Helper()
	s := &server{cmd: cmd, read: make(chan struct{})}
	cmd.Stdout = &s.stdout
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(io.TeeReader(stderr, &s.stderr))
	for lines.Scan() {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == "serving" {
			s.url = words[1]
			break
		}
	}
	go func() {
		defer close(s.read)
		for lines.Scan() {
		}
	}()
	return s
}

// end signals the child, waits for it and returns its exit code.
func (s *server) end(t *testing.T, signals ...os.Signal) int {
	t.Helper()
	for _, sig := range signals {
		if err := s.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	<-s.read
	return exitCode(s.cmd.Wait())
}

func TestFirstSignalStopsInOrder(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		s := serve(t, child(t, "--insecure-port=0"))
		if code := s.end(t, sig); code != 0 {
			t.Errorf("the first %v stops the server in order, with code 0: got %d\n%s", sig, code, s.stderr.String())
		}
	}
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	s := serve(t, child(t, "--insecure-port="+freePort(t)))
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\n"); err != nil { // half a request: the orderly stop waits for the rest
		t.Fatal(err)
	}
	if code := s.end(t, os.Interrupt, syscall.SIGTERM); code != 1 {
		t.Errorf("the second signal ends the process at once with code 1, got %d", code)
	}
}

func TestStdoutHasOnlyWhatWasAskedFor(t *testing.T) {
	s := serve(t, child(t, "--insecure-port=0", "-v=4"))
	if code := s.end(t, syscall.SIGTERM); code != 0 || s.stdout.Len() != 0 {
		t.Errorf("a server was asked for, nothing to read: got code %d and %q", code, s.stdout.String())
	}
	help, err := child(t, "--help").Output()
	if err != nil || !strings.Contains(string(help), "--insecure-port") {
		t.Errorf("help was asked for: got %v and %q", err, help)
	}
}

func TestEveryFlagIsLoggedAtLevel4(t *testing.T) {
	s := serve(t, child(t, "--insecure_port=0", "--v", "4"))
	s.end(t, syscall.SIGTERM)
	for _, want := range []string{`FLAG: --insecure-port="0"`, `FLAG: --insecure-bind-address="127.0.0.1"`, `FLAG: --v="4"`} {
		if !strings.Contains(s.stderr.String(), want) {
			t.Errorf("with -v=4 the log has each flag, but not %s:\n%s", want, s.stderr.String())
		}
	}
	s = serve(t, child(t, "--insecure-port=0"))
	s.end(t, syscall.SIGTERM)
	if strings.Contains(s.stderr.String(), "FLAG:") {
		t.Errorf("nobody asked for the flags:\n%s", s.stderr.String())
	}
}

func TestItRunsWithoutStdin(t *testing.T) {
	cmd := child(t, "--insecure-port="+freePort(t))
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `exec "$0" "$@" <&-`}, cmd.Args...)
	s := serve(t, cmd)
	resp, err := http.Get(s.url + "/healthz")
	if err != nil {
		t.Fatalf("without stdin the server is to serve all the same: %v\n%s", err, s.stderr.String())
	}
	resp.Body.Close()
	if code := s.end(t, syscall.SIGTERM); code != 0 || resp.StatusCode != http.StatusOK {
		t.Errorf("without stdin: health %d, exit code %d", resp.StatusCode, code)
	}
}

func TestTheLinkerStampsTheVersion(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "stamped")
	build := exec.Command("go", "build", "-ldflags=-X example.com/kube-apiserver/stage1-main/process/version.gitVersion=v1.37.9-mine", "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	out, err := exec.Command(binary, "--version").Output()
	if want := "Kubernetes v1.37.9-mine\n"; err != nil || string(out) != want {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
}

// freePort is one that nobody listens on, a moment ago at least.
func freePort(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return strconv.Itoa(ln.Addr().(*net.TCPAddr).Port)
}
