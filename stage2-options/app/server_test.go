package app_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage1-main/process/routes"
	"example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage1-main/startup"
	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/app"
	"example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/tunnel"
)

func quiet() *options.ServerRunOptions {
	s := options.NewServerRunOptions()
	s.Startup = startup.New(io.Discard)
	return s
}

func TestErratumE3(t *testing.T) {
	t.Log("the article: on a cloud, and with a key file, there are tunnels. --ssh-user alone decides, and nothing is made or installed here.")
	key := filepath.Join(t.TempDir(), "id")
	for _, c := range []struct {
		user, keyFile, cloud string
		tunnels              bool
	}{
		{"", "", "", false},
		{"", key, "", false},
		{"", key, "aws", false}, // what the article asks for
		{"core", key, "", true},
		{"core", "", "", true}, // Validate complains later
	} {
		s := quiet()
		s.SSHUser, s.SSHKeyfile, s.CloudProvider.CloudProvider = c.user, c.keyFile, c.cloud
		tunneler, _, err := app.CreateNodeDialer(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := tunneler != nil; got != c.tunnels {
			t.Errorf("user %q, key file %q, cloud %q: tunnels %t, want %t: the user alone decides", c.user, c.keyFile, c.cloud, got, c.tunnels)
		}
	}
	if _, err := os.Stat(key); err == nil {
		t.Error("CreateNodeDialer made a key; that is for the running server")
	}
}

func TestProxyTransportIsAlwaysMade(t *testing.T) {
	for _, user := range []string{"", "core"} {
		s := quiet()
		s.SSHUser, s.SSHKeyfile = user, filepath.Join(t.TempDir(), "id")
		tunneler, transport, err := app.CreateNodeDialer(s)
		if err != nil {
			t.Fatal(err)
		}
		if transport == nil {
			t.Fatalf("with the user %q there is no transport: pods are proxied with and without tunnels", user)
		}
		if !transport.TLSClientConfig.InsecureSkipVerify {
			t.Error("pods show certificates that nobody signed for us, the transport must not check them")
		}
		if tunnelled := transport.DialContext != nil; tunnelled != (tunneler != nil) {
			t.Errorf("with the user %q the transport uses tunnels: %t", user, tunnelled)
		}
	}
}

func TestHealthIsRedAfterTenMinutesWithoutSync(t *testing.T) {
	now := make(chan time.Time, 1) // what the clock shows, taken and put back
	now <- time.Unix(1_500_000_000, 0)
	read := func() time.Time { at := <-now; now <- at; return at }
	tunneler := tunnel.New("core", filepath.Join(t.TempDir(), "id"), nil)
	tunneler.Now = read
	tunneler.After = func(time.Duration) <-chan time.Time { return nil }

	s := server.New(server.Config{Install: routes.Install}, nil)
	master.InstallTunneler(s, tunneler, func(context.Context) ([]string, error) { return nil, errors.New("no table of nodes") })
	get, stop := serve(t, s)
	for _, c := range []struct {
		after time.Duration
		code  int
	}{{600 * time.Second, 200}, {601 * time.Second, 500}} {
		<-now
		now <- time.Unix(1_500_000_000, 0).Add(c.after)
		if code := get("/healthz"); code != c.code {
			t.Errorf("%s after the last sync of nodes /healthz is %d, want %d", c.after, code, c.code)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// serve runs a server and returns how to ask it for a code, and how to stop it.
func serve(t *testing.T, s *server.GenericAPIServer) (get func(path string) int, stop func() error) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.AddEndpoint("http", ln, nil)
	up, stopCh, result := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	s.On(server.Listening, "tell the test", func(context.Context) error { close(up); return nil })
	go func() { result <- s.PrepareRun().Run(stopCh) }()
	select {
	case <-up:
	case err := <-result:
		t.Fatalf("the server ended before it listened: %v", err)
	}
	get = func(path string) int {
		resp, err := http.Get("http://" + ln.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	return get, func() error { close(stopCh); return <-result }
}

func TestErratumE8(t *testing.T) {
	t.Log("the article: a process is started that syncs the data to etcd. All that happens is one connection, closed at once.")
	etcd, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	s := quiet()
	s.Etcd.StorageBackend, s.Etcd.ServerList = "etcd3", []string{"http://" + etcd.Addr().String()}
	if err := app.Preflight(s); err != nil {
		t.Fatal(err)
	}
	conn, err := etcd.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if sent, err := io.ReadAll(conn); err != nil || len(sent) != 0 {
		t.Errorf("etcd was sent %d bytes, %v; want a connection without a word", len(sent), err)
	}
	mine, err := net.Dial("tcp", etcd.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()
	if next, err := etcd.Accept(); err != nil || next.RemoteAddr().String() != mine.LocalAddr().String() {
		t.Errorf("the next connection should be this test's, %v, it is another (%v): one is enough, and nobody connects again", mine.LocalAddr(), err)
	}

	file := filepath.Join(t.TempDir(), "state.db")
	if err := os.WriteFile(file, []byte("objects"), 0o600); err != nil {
		t.Fatal(err)
	}
	s = quiet()
	s.Etcd.BBoltFile = file
	if _, _, err := app.CreateKubeAPIServerConfig(s, nil, nil); err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(file); err != nil || string(kept) != "objects" {
		t.Errorf("making the configuration changed the store: %q, %v", kept, err)
	}
}

func TestErratumE8b(t *testing.T) {
	t.Log("the article lists five things in the order of their importance. They happen in another one: plugins are named, then defaults, then checks, then the chain, and the store is looked at when all that is right.")
	var told strings.Builder
	s := quiet()
	s.Startup = startup.New(&told)
	s.Etcd.BBoltFile = filepath.Join(t.TempDir(), "state.db")
	if _, _, err := app.CreateKubeAPIServerConfig(s, nil, nil); err != nil {
		t.Fatal(err)
	}
	var steps []string
	for line := range strings.Lines(told.String()) {
		steps = append(steps, strings.Fields(line)[0])
	}
	if want := []string{"[A3.5]", "[A3.6]", "[A3.4]", "[A3.7]", "[A3.8]"}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %v, want %v", steps, want)
	}
}

func TestErratumE4(t *testing.T) {
	t.Log("the article: without --admission-control there is no rule. There is one, and it is asked: it admits everything.")
	s := quiet()
	s.Etcd.BBoltFile = filepath.Join(t.TempDir(), "state.db")
	config, _, err := app.CreateKubeAPIServerConfig(s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(config.AdmissionControl) != 1 {
		t.Fatalf("the chain has %d plugins, want 1: AlwaysAdmit", len(config.AdmissionControl))
	}
	if _, ok := config.AdmissionControl[0].(admission.AlwaysAdmit); !ok {
		t.Errorf("the only plugin is a %T, want AlwaysAdmit", config.AdmissionControl[0])
	}
	for _, operation := range []string{"CREATE", "UPDATE", "DELETE", "CONNECT"} {
		if !config.AdmissionControl[0].Handles(operation) {
			t.Errorf("it has to be asked about every %s", operation)
		}
	}
}

func TestNothingIsWrittenBeforeEverythingIsChecked(t *testing.T) {
	folder := t.TempDir()
	s := quiet()
	s.Etcd.BBoltFile, s.SecureServing.CertDirectory = filepath.Join(folder, "state.db"), filepath.Join(folder, "certs")
	s.SSHUser, s.SSHKeyfile = "core", filepath.Join(folder, "id")
	s.MasterCount = 0
	if err := app.Run(s, nil); err == nil || !strings.HasPrefix(err.Error(), "--apiserver-count=0: ") {
		t.Fatalf("a wrong flag must end Run, got %v", err)
	}
	if rest, _ := os.ReadDir(folder); len(rest) != 0 {
		t.Errorf("one flag was wrong, and yet something was written: %v. 1.7 leaves its certificates behind.", rest)
	}
}
