package drain_test

import (
	"context"
	"net"
	"net/http"
	"testing"

	"example.com/kube-apiserver/stage1-main/process/drain"
	"example.com/kube-apiserver/stage1-main/server"
)

// start runs a server on a free port and returns its URL and how to stop it.
func start(t *testing.T, s *server.GenericAPIServer) (url string, stop func() error) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.AddEndpoint("http", ln, nil)
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

func newServer() *server.GenericAPIServer {
	return server.New(server.Config{Drain: drain.Attach}, nil)
}

// request asks for a URL whose answer is of no interest.
func request(url string) {
	if resp, err := http.Get(url); err == nil {
		resp.Body.Close()
	}
}

func TestWatchesEndAfterTheRequests(t *testing.T) {
	s := newServer()
	inside, finish, ended := make(chan struct{}, 2), make(chan struct{}), make(chan string, 2)
	s.Mux.Handle("/write", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		inside <- struct{}{}
		<-finish
		ended <- "the write"
	}))
	s.Mux.Handle("/watch", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx, done := drain.UntilEnding(req.Context())
		defer done()
		inside <- struct{}{}
		<-ctx.Done()
		ended <- "the watch"
	}))
	url, stop := start(t, s)
	for _, path := range []string{"/write", "/watch"} {
		go request(url + path)
		<-inside
	}
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	close(finish)
	if first, second := <-ended, <-ended; first != "the write" || second != "the watch" {
		t.Errorf("a watch sees what the last writes change, so it ends last; first ended %s, then %s", first, second)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestAConnectionThatWasTakenOverIsWaitedFor(t *testing.T) {
	s := newServer()
	closed, taken, ended := make(chan struct{}), make(chan struct{}), false
	s.On(server.Stopped, "the log", func(context.Context) error {
		defer close(closed)
		if !ended {
			t.Error("the log was closed while a connection that a request has taken over was still open")
		}
		return nil
	})
	s.Mux.Handle("/exec", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			close(taken)
			return
		}
		defer conn.Close()
		ctx, done := drain.UntilEnding(req.Context())
		defer done()
		close(taken)
		<-ctx.Done() // which http.Server, having lost sight of the connection, does not wait for
		ended = true
	}))
	url, stop := start(t, s)
	go request(url + "/exec")
	<-taken
	if err := stop(); err != nil {
		t.Error(err)
	}
	<-closed
}

func TestAStopThatWaitsInVainSaysSo(t *testing.T) {
	s := newServer()
	s.StopTimeout = 1 // nanosecond
	taken, leave := make(chan struct{}), make(chan struct{})
	s.Mux.Handle("/exec", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		close(taken)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		<-leave
	}))
	url, stop := start(t, s)
	go request(url + "/exec")
	<-taken
	if err := stop(); err == nil {
		t.Error("a connection that was taken over did not end in time, and Run must say so")
	}
	close(leave)
}
