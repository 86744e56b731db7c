package server_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage1-main/process/routes"
	stage1 "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	stage3 "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage4-informers/server"
)

func newServer() *server.GenericAPIServer {
	tables := &endpoints.Config{Encoder: negotiation.Encoder{Tables: &negotiation.Tables{Formats: []negotiation.Format{{MediaType: "application/json"}}}}}
	return server.New(stage3.New(stage1.Config{Name: "test", Install: routes.Install}, tables, &stage3.Inventory{}, nil))
}

// run starts the server on a free port; stop stops it and returns Run's error.
func run(t *testing.T, s *server.GenericAPIServer) (url string, stop func() error) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.AddEndpoint("http", ln, nil)
	up := make(chan struct{})
	s.On(stage1.Listening, "tell the test", func(context.Context) error { close(up); return nil })
	stopCh, result := make(chan struct{}), make(chan error, 1)
	go func() { result <- s.PrepareRun().Run(stopCh) }()
	select {
	case <-up:
	case err := <-result:
		t.Fatalf("the server ended before all hooks were started: %v", err)
	case <-time.After(10 * time.Second):
		t.Fatal("the server does not get past starting its hooks: one of them holds up everything that comes after it")
	}
	return "http://" + ln.Addr().String(), func() error { close(stopCh); return <-result }
}

func code(t *testing.T, url string) int {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// The article shows the hooks as if they ran inside serveSecurely, before the
// port is open. They run after that, and /healthz waits for each of them.
func TestErratumE23(t *testing.T) {
	s := newServer()
	finish, began := make(chan struct{}), make(chan struct{})
	must(t, s.AddPostStartHook("slow", func(server.PostStartHookContext) error { close(began); <-finish; return nil }))
	url, stop := run(t, s)
	<-began
	got := code(t, url+"/version")
	t.Logf("while the hook runs: GET /version: %d", got)
	if got != 200 {
		t.Errorf("requests are answered while hooks run: got %d, want 200", got)
	}
	for path, want := range map[string]int{"/healthz/poststarthook/slow": 500, "/healthz": 500, "/readyz": 500} {
		got := code(t, url+path)
		t.Logf("while the hook runs: GET %s: %d", path, got)
		if got != want {
			t.Errorf("while a hook runs %s answers %d, want %d", path, got, want)
		}
	}
	close(finish)
	for code(t, url+"/healthz") != 200 { // bounded by the test's timeout
	}
	must(t, stop())
}

func TestASlowHookHoldsUpNoOther(t *testing.T) {
	s := newServer()
	finish := make(chan struct{})
	others := make(chan string, 2)
	for _, name := range []string{"before", "slow", "after"} {
		must(t, s.AddPostStartHook(name, func(server.PostStartHookContext) error {
			if name == "slow" {
				<-finish
			} else {
				others <- name
			}
			return nil
		}))
	}
	url, stop := run(t, s)
	<-others
	<-others // if one waited for the slow hook, this would never be reached
	if got := code(t, url+"/healthz/poststarthook/slow"); got != 500 {
		t.Errorf("the check of a hook that has not returned answers %d, want 500", got)
	}
	close(finish)
	must(t, stop())
}

func TestAFailingHookEndsRunWithItsError(t *testing.T) {
	for name, hook := range map[string]server.PostStartHookFunc{
		"error": func(server.PostStartHookContext) error { return errors.New("no etcd") },
		"panic": func(server.PostStartHookContext) error { panic("no etcd") },
	} {
		s := newServer()
		must(t, s.AddPostStartHook("bootstrap", hook))
		err := s.PrepareRun().Run(make(chan struct{}))
		if err == nil || !strings.Contains(err.Error(), `PostStartHook "bootstrap" failed`) || !strings.Contains(err.Error(), "no etcd") {
			t.Errorf("%s: Run must end with what the hook said, got %v", name, err)
		}
	}
}

func TestAHookMayCallTheServerItRunsIn(t *testing.T) {
	s := newServer()
	var url string
	answered := make(chan int, 1)
	ready := make(chan struct{})
	must(t, s.AddPostStartHook("caller", func(server.PostStartHookContext) error {
		<-ready
		answered <- code(t, url+"/healthz/ping")
		return nil
	}))
	url, stop := run(t, s)
	close(ready)
	if got := <-answered; got != 200 {
		t.Errorf("the port is open before hooks run: got %d, want 200", got)
	}
	must(t, stop())
}

func TestHookNamesAreUniqueAndLateOnesRefused(t *testing.T) {
	s := newServer()
	nothing := func(server.PostStartHookContext) error { return nil }
	must(t, s.AddPostStartHook("a", nothing))
	for name, want := range map[string]string{"": "missing name", "a": "already registered"} {
		if err := s.AddPostStartHook(name, nothing); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("hook %q: got %v, want an error with %q", name, err, want)
		}
	}
	_, stop := run(t, s)
	if err := s.AddPostStartHook("late", nothing); err == nil || !strings.Contains(err.Error(), "have already been called") {
		t.Errorf("a hook that comes too late must be refused, got %v", err)
	}
	must(t, stop())
}

func TestTheServerWaitsForWhatAHookStarted(t *testing.T) {
	s := newServer()
	ended := false
	must(t, s.AddPostStartHook("loop", func(c server.PostStartHookContext) error {
		c.Go(func(ctx context.Context) { <-ctx.Done(); ended = true })
		return nil
	}))
	url, stop := run(t, s)
	for code(t, url+"/healthz") != 200 { // until the hook has returned
	}
	must(t, stop())
	if !ended {
		t.Error("Run returned while a goroutine of a hook was still running")
	}
}

func TestPreShutdownHooksRunWhileRequestsAreAnswered(t *testing.T) {
	s := newServer()
	var url string
	var order []string
	hook := func(name string, result error) func() error {
		return func() error {
			order = append(order, fmt.Sprint(name, " ", code(t, url+"/healthz/ping")))
			return result
		}
	}
	must(t, s.AddPreShutdownHook("first", hook("first", errors.New("no"))))
	must(t, s.AddPreShutdownHook("second", hook("second", nil)))
	must(t, s.AddPreShutdownHook("third", func() error { panic("not at all") }))
	for name, want := range map[string]string{"": "missing name", "first": "already registered"} {
		if err := s.AddPreShutdownHook(name, hook("", nil)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("hook %q: got %v, want an error with %q", name, err, want)
		}
	}
	url, stop := run(t, s)
	err := stop()
	for _, want := range []string{`PreShutdownHook "first" failed: no`, `PreShutdownHook "third" failed: panic: not at all`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run must end with what the hooks said; %q is not in %v", want, err)
		}
	}
	if want := []string{"first 200", "second 200"}; !slices.Equal(order, want) {
		t.Errorf("the hooks ran as %q, want %q: in order, the server still answering, one that fails keeping no other from its turn", order, want)
	}
	if err := s.AddPreShutdownHook("late", hook("", nil)); err == nil || !strings.Contains(err.Error(), "have already been called") {
		t.Errorf("a hook that comes too late must be refused, got %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ExampleGenericAPIServer_AddPostStartHook() {
	s := newServer()
	s.AddPostStartHook("start-informers", func(context server.PostStartHookContext) error {
		fmt.Println("the port is open, and this runs")
		s.Fail(errors.New("that is enough for an example"))
		return nil
	})
	fmt.Println("registered, nothing runs yet")
	fmt.Println(s.PrepareRun().Run(make(chan struct{})))
	// Output:
	// registered, nothing runs yet
	// the port is open, and this runs
	// that is enough for an example
}
