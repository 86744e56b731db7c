package app_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage1-main/startup"
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

	s := server.New(server.Config{}, nil)
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
	s.AddEndpoint(server.Endpoint{Name: "http", Listener: ln})
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
