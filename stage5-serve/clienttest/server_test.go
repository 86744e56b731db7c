package clienttest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	klog.SetLogger(klog.New(nil)) // lost connections are the subject here, and no news
	ctrl.SetLogger(klog.New(nil))
	dir, err := os.MkdirTemp("", "clienttest")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "stage5-serve")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir, build.Env = "..", append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the server cannot be built: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// server is the built server with its data in a temporary folder, and a proxy
// before it whose connections can be cut.
type server struct {
	*testing.T
	folder string
	port   int
	flags  []string // besides those that place the server
	stop   func()   // at once, as a power failure would
	proxy  *proxy
}

func start(t *testing.T, flags ...string) *server {
	t.Helper()
	s := &server{T: t, folder: t.TempDir(), port: freePort(t), flags: flags}
	s.up()
	t.Cleanup(func() { s.stop() })
	s.proxy = forward(t, fmt.Sprintf("127.0.0.1:%d", s.port))
	return s
}

// up starts the server on its data and returns when it is ready.
func (s *server) up() {
	s.Helper()
	log, err := os.Create(filepath.Join(s.folder, "log"))
	if err != nil {
		s.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(binary, append(s.flags, fmt.Sprintf("--secure-port=%d", s.port), "--bbolt-file="+filepath.Join(s.folder, "state.db"),
		"--cert-dir="+filepath.Join(s.folder, "certs"))...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }() // how it ends is nobody's business: it is killed
	s.stop = sync.OnceFunc(func() { cmd.Process.Kill(); <-ended })
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			text, _ := os.ReadFile(log.Name())
			s.Fatalf("the server ended before it was ready:\n%s", text)
		case <-tick.C:
			if s.ready() {
				return
			}
		}
	}
}

func (s *server) ready() bool {
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(s.folder, "certs", "admin.kubeconfig"))
	if err != nil {
		return false // not written yet
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return false
	}
	resp, err := client.Get(config.Host + "/readyz")
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// config is the administrator's, straight to the server.
func (s *server) config() *rest.Config {
	s.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(s.folder, "certs", "admin.kubeconfig"))
	if err != nil {
		s.Fatal(err)
	}
	config.QPS = -1 // no limit
	return config
}

// throughProxy is the same on the way whose connections can be cut.
func (s *server) throughProxy() *rest.Config {
	config := s.config()
	config.Host = "https://" + s.proxy.address
	return config
}

func (s *server) clientset(config *rest.Config) *kubernetes.Clientset {
	s.Helper()
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		s.Fatal(err)
	}
	return clientset
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// within gives up long after everything should have happened.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// proxy hands bytes to and fro.
type proxy struct {
	address, to string
	mu          sync.Mutex // guards open
	open        map[net.Conn]bool
}

func forward(t *testing.T, to string) *proxy {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{address: ln.Addr().String(), to: to, open: map[net.Conn]bool{}}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			running.Go(func() { p.serve(conn) })
		}
	})
	t.Cleanup(func() { ln.Close(); p.cut(); running.Wait() })
	return p
}

func (p *proxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.to)
	if err != nil {
		return // it is down just now
	}
	defer server.Close()
	p.mu.Lock()
	p.open[client], p.open[server] = true, true
	p.mu.Unlock()
	var back sync.WaitGroup
	back.Go(func() { io.Copy(client, server); client.Close() })
	io.Copy(server, client)
	server.Close()
	back.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, client)
	delete(p.open, server)
}

// cut ends all connections without a word.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port
}
