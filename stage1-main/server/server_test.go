package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage1-main/process/drain"
	"example.com/kube-apiserver/stage1-main/process/filters"
	"example.com/kube-apiserver/stage1-main/process/wait"
	"example.com/kube-apiserver/stage1-main/server"
)

// start runs a server on a free port and returns its URL and how to stop it.
func start(t *testing.T, s *server.GenericAPIServer) (url string, stop func() error) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.AddEndpoint("http", ln, server.Chain{filters.PanicRecovery})
	up := make(chan struct{})
	s.On(server.Listening, "tell the test", func(context.Context) error { close(up); return nil })
	stopCh, result := make(chan struct{}), make(chan error, 1)
	go func() { result <- s.PrepareRun().Run(stopCh) }()
	select {
	case <-up:
	case err := <-result:
		t.Fatalf("the server ended before it listened: %v", err)
	}
	return "http://" + ln.Addr().String(), func() error { close(stopCh); return <-result }
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestActionsRunInPhaseOrderAndStopInReverse(t *testing.T) {
	var did []string
	note := func(what string) func(context.Context) error {
		return func(context.Context) error { did = append(did, what); return nil }
	}
	inner := server.New(server.Config{Name: "inner"}, nil)
	outer := server.New(server.Config{Name: "outer"}, inner)
	for _, s := range []*server.GenericAPIServer{outer, inner} {
		for phase, name := range map[server.Phase]string{server.Preparing: "prepare", server.Listening: "listen", server.Stopping: "stop", server.Stopped: "close"} {
			s.On(phase, name, note(s.Name+" "+name))
		}
	}
	_, stop := start(t, outer)
	if err := stop(); err != nil {
		t.Fatalf("an orderly stop returns no error, got %v", err)
	}
	want := []string{"inner prepare", "outer prepare", "inner listen", "outer listen", "inner stop", "outer stop", "outer close", "inner close"}
	if !slices.Equal(did, want) {
		t.Errorf("a delegate comes first, and what was opened first is closed last:\nwant %v\ngot  %v", want, did)
	}
}

func TestAFailureWhileServingStopsInOrderAndIsReturned(t *testing.T) {
	s := server.New(server.Config{}, nil)
	closed := false
	s.On(server.Stopped, "close", func(context.Context) error { closed = true; return nil })
	boom := errors.New("the disk is gone")
	s.On(server.Listening, "fail", func(context.Context) error { s.Fail(boom); return nil })
	err := s.PrepareRun().Run(wait.NeverStop) // as the article's main
	if !errors.Is(err, boom) {
		t.Errorf("Run must return what it failed with, got %v", err)
	}
	if !closed {
		t.Error("what was opened must be closed, also when something failed")
	}
}

func TestAnErrorWhilePreparingIsRunsErrorAndNobodyListens(t *testing.T) {
	s := server.New(server.Config{}, nil)
	listened := false
	s.On(server.Preparing, "read the table", func(context.Context) error { return errors.New("no table") })
	s.On(server.Listening, "listen", func(context.Context) error { listened = true; return nil })
	if err := s.PrepareRun().Run(make(chan struct{})); err == nil || !strings.Contains(err.Error(), "read the table: no table") {
		t.Errorf("the error must name the action, got %v", err)
	}
	if listened {
		t.Error("the server went on after an error while preparing")
	}
}

func TestOpenRequestIsAnsweredAfterStop(t *testing.T) {
	s := server.New(server.Config{Drain: drain.Attach}, nil)
	inside, finish := make(chan struct{}), make(chan struct{})
	s.Mux.Handle("/slow", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		close(inside)
		ctx, done := drain.UntilEnding(req.Context())
		defer done()
		<-ctx.Done() // the server has begun to drain
		<-finish
		fmt.Fprint(w, "done")
	}))
	url, stop := start(t, s)
	answer := make(chan string, 1)
	go func() {
		_, body := get(t, url+"/slow")
		answer <- body
	}()
	<-inside
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	close(finish)
	if got := <-answer; got != "done" {
		t.Errorf("a request that was open when the stop began was answered %q, want %q", got, "done")
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestPanicInOneRequestLeavesTheServerAlive(t *testing.T) {
	s := server.New(server.Config{}, nil)
	s.Mux.Handle("/panic", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("oh") }))
	s.Mux.Handle("/alive", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	url, stop := start(t, s)
	if code, _ := get(t, url+"/panic"); code != http.StatusInternalServerError {
		t.Errorf("a request that panics gets 500, got %d", code)
	}
	if code, _ := get(t, url+"/alive"); code != http.StatusOK {
		t.Errorf("after a panic the server answers the next request with %d, want 200", code)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestMuxPrefersExactThenLongestPrefix(t *testing.T) {
	m := server.NewPathRecorderMux()
	for _, path := range []string{"/apis/", "/apis/apps/", "/apis/apps/v1"} {
		m.Handle(path, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, path) }))
	}
	for _, c := range []struct{ path, want string }{
		{"/apis/apps/v1", "/apis/apps/v1"},
		{"/apis/apps/v2", "/apis/apps/"},
		{"/apis/batch", "/apis/"},
		{"/apis", "404 page not found\n"},
		{"/nosuch", "404 page not found\n"},
	} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("GET", c.path, nil))
		if got := w.Body.String(); got != c.want {
			t.Errorf("%s was answered by %q, want %q", c.path, got, c.want)
		}
	}
}

func TestUnknownPathReachesTheDelegate(t *testing.T) {
	inner := server.New(server.Config{}, nil)
	inner.Mux.Handle("/inner", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "inner") }))
	url, stop := start(t, server.New(server.Config{}, inner))
	if _, body := get(t, url+"/inner"); body != "inner" {
		t.Errorf("the outer server has no /inner and must ask its delegate, got %q", body)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func ExampleChain() {
	add := func(name string) server.Filter {
		return server.Filter{Name: name, Wrap: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				fmt.Println("through", name)
				next.ServeHTTP(w, req)
			})
		}}
	}
	chain := filters.After(server.Chain{filters.PanicRecovery}, "panic-recovery", add("authentication"), add("authorization"))
	fmt.Println(chain)
	chain.Then(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	// Output:
	// panic-recovery > authentication > authorization
	// through authentication
	// through authorization
}
