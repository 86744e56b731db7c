package see

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/kube-apiserver/docs/tools/tree"
)

// Server is a running stage.
type Server struct {
	URL string // where it serves

	cmd   *exec.Cmd
	out   io.Writer
	mu    sync.Mutex // guards log, ready
	log   strings.Builder
	ready chan string   // gets the URL once; nil afterwards
	done  chan struct{} // closed when it has ended and all of its log is read
	err   error         // how it ended; read after done
}

// setup is how make starts a stage.
type setup struct {
	port       string   // the one that readers see
	portFlag   string   // that sets it
	flags      []string // DATA is the stage's data folder
	kubeconfig string   // below the data folder, if it writes one
}

// plugins are the Makefile's PLUGINS.
const plugins = "NamespaceLifecycle,LimitRanger,ServiceAccount,TaintNodesByCondition,PodSecurity,Priority,DefaultTolerationSeconds,StorageObjectInUseProtection,ResourceQuota"

// setups by the number of the stage. They follow the Makefile, but for the
// -v=2 of stage 4, whose lines come at no fixed moment.
var setups = map[int]setup{
	1: {port: "8080", portFlag: "--insecure-port="},
	2: {port: "8080", portFlag: "--insecure-port=", flags: []string{"--bbolt-file=DATA/state.db"}},
	3: {port: "8080", portFlag: "--insecure-port=", flags: []string{"--bbolt-file=DATA/state.db"}, kubeconfig: "kubeconfig"},
	4: {port: "8080", portFlag: "--insecure-port=", flags: []string{"--bbolt-file=DATA/state.db", "--admission-control=" + plugins}, kubeconfig: "kubeconfig"},
	5: {port: "6443", portFlag: "--secure-port=", flags: []string{"--bbolt-file=DATA/state.db", "--cert-dir=DATA/certs"}, kubeconfig: "certs/admin.kubeconfig"},
}

// Data is a stage's data folder below the folder it is started in.
func Data(n int) string { return fmt.Sprintf("data/stage%d", n) }

// Kubeconfig is the file that a stage writes for kubectl, or "".
func Kubeconfig(n int) string {
	if setups[n].kubeconfig == "" {
		return ""
	}
	return Data(n) + "/" + setups[n].kubeconfig
}

// Build builds a stage's folder into a program of the stage's name below to.
func Build(ctx context.Context, stageDir, to string) (bin string, err error) {
	bin = filepath.Join(to, filepath.Base(stageDir))
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, ".")
	cmd.Dir, cmd.Env = stageDir, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %s", filepath.Base(stageDir), strings.TrimSpace(string(out)))
	}
	return bin, nil
}

var serving = regexp.MustCompile(`(?m)^serving (https?://\S+)\s`)

// Start starts a stage in dir on a free port, with its data below dir, and waits
// until it says that it serves, or ends. What it logs also goes to out.
func Start(ctx context.Context, s tree.Stage, bin, dir string, out io.Writer, extra ...string) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, Data(s.N)), 0o755); err != nil {
		return nil, err
	}
	args := []string{setups[s.N].portFlag + port}
	for _, f := range setups[s.N].flags {
		args = append(args, strings.ReplaceAll(f, "DATA", Data(s.N)))
	}
	srv := &Server{cmd: exec.CommandContext(ctx, bin, slices.Concat(args, extra)...), out: out, ready: make(chan string, 1), done: make(chan struct{})}
	srv.cmd.Dir = dir
	srv.cmd.Cancel = func() error { return srv.cmd.Process.Signal(os.Interrupt) }
	srv.cmd.WaitDelay = 10 * time.Second
	srv.cmd.Stdout, srv.cmd.Stderr = srv, srv
	ready := srv.ready
	if err := srv.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(srv.done)
		srv.err = srv.cmd.Wait() // returns when all is written, too
	}()
	select {
	case srv.URL = <-ready:
		return srv, srv.untilReady()
	case <-srv.done:
		return nil, fmt.Errorf("%s ended before it served:\n%s", s.Dir, srv.Log())
	case <-time.After(time.Minute):
		srv.Stop()
		return nil, fmt.Errorf("%s has not printed a line %q within a minute:\n%s", s.Dir, "serving http…", srv.Log())
	}
}

// untilReady waits until the hooks that run after the first screen have done
// their work: a reader is slower than that, a script is not.
func (s *Server) untilReady() error {
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	for range 3000 {
		resp, err := client.Get(s.URL + "/readyz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusNotFound { // a stage of the sample has none
				return nil
			}
		}
		select {
		case <-s.done:
			return fmt.Errorf("the server ended before it was ready:\n%s", s.Log())
		case <-time.After(10 * time.Millisecond):
		}
	}
	s.Stop()
	return fmt.Errorf("the server was not ready within 30 s:\n%s", s.Log())
}

// Write takes what the server prints. The first screen comes in one piece, so
// it is passed on whole before a command can follow it.
func (s *Server) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.Write(p)
	s.out.Write(p)
	if s.ready != nil {
		if m := serving.FindStringSubmatch(s.log.String()); m != nil {
			s.ready <- m[1]
			s.ready = nil
		}
	}
	return len(p), nil
}

// Log is what it has printed so far.
func (s *Server) Log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// Stop interrupts the server and waits until it has ended.
func (s *Server) Stop() error {
	s.cmd.Process.Signal(os.Interrupt) // one that has ended needs none
	select {
	case <-s.done:
		return s.err
	case <-time.After(30 * time.Second):
		s.cmd.Process.Kill()
		<-s.done
		return fmt.Errorf("the server did not end within 30 s of an interrupt")
	}
}

// Wait waits until the server has ended by itself or by the end of its context.
func (s *Server) Wait() error {
	<-s.done
	return s.err
}

func freePort() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer ln.Close()
	_, port, err := net.SplitHostPort(ln.Addr().String())
	return port, err
}
