package routes_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage1-main/process/routes"
	"example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage1-main/startup"
)

func newServer(delegate *server.GenericAPIServer, checks ...server.HealthCheck) *server.GenericAPIServer {
	s := server.New(server.Config{Install: routes.Install}, delegate)
	s.Health = checks
	return s
}

func check(name, wrong string) server.HealthCheck {
	return server.HealthCheck{Name: name, Check: func() error {
		if wrong != "" {
			return errors.New(wrong)
		}
		return nil
	}}
}

func get(h http.Handler, path string) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Code, w.Body.String()
}

func TestHealthHasUpstreamsForms(t *testing.T) {
	inner := newServer(nil, check("poststarthook/start-informers", ""))
	s := newServer(inner, check("etcd", ""), check("disk", "no space on /secret/path"))
	s.PrepareRun()
	failed := func(name string) string {
		return "[+]ping ok\n[+]etcd ok\n[-]disk failed: reason withheld\n[+]poststarthook/start-informers ok\n" + name + " check failed\n"
	}
	for _, c := range []struct {
		path string
		code int
		body string
	}{
		{"/healthz", 500, failed("healthz")},
		{"/livez", 500, failed("livez")},
		{"/livez?verbose", 500, failed("livez")},
		{"/healthz?exclude=disk", 200, "ok"},
		{"/healthz?exclude=disk&verbose", 200, "[+]ping ok\n[+]etcd ok\n[+]disk excluded: ok\n[+]poststarthook/start-informers ok\nhealthz check passed\n"},
		{"/readyz?exclude=disk&exclude=etcd&verbose=1", 200, "[+]ping ok\n[+]etcd excluded: ok\n[+]disk excluded: ok\n[+]poststarthook/start-informers ok\n[+]shutdown ok\nreadyz check passed\n"},
		{"/livez?exclude=disk&exclude=z&exclude=a&exclude=z&verbose", 200, "[+]ping ok\n[+]etcd ok\n[+]disk excluded: ok\n[+]poststarthook/start-informers ok\n" +
			"warn: some health checks cannot be excluded: no matches for \"a\",\"z\"\nlivez check passed\n"},
		{"/healthz/ping", 200, "ok"},
		{"/readyz/etcd", 200, "ok"},
		{"/livez/poststarthook/start-informers", 200, "ok"},
		{"/healthz/disk", 500, "internal server error: no space on /secret/path\n"},
		{"/healthz/nosuch", 404, "404 page not found\n"},
		{"/livez/shutdown", 404, "404 page not found\n"},
	} {
		if code, body := get(s.UnprotectedHandler(), c.path); code != c.code || body != c.body {
			t.Errorf("GET %s: got %d\n%s\nwant %d\n%s", c.path, code, body, c.code, c.body)
		}
	}
}

func TestAnExcludedCheckIsNotAsked(t *testing.T) {
	asked := false
	s := newServer(nil, server.HealthCheck{Name: "slow", Check: func() error { asked = true; return nil }})
	s.PrepareRun()
	if get(s.UnprotectedHandler(), "/readyz?exclude=slow"); asked {
		t.Error("who excludes a check may do so because it hangs: it must not be asked")
	}
}

func TestReadyzIsRedWhileTheServerStops(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(nil)
	s.AddEndpoint("http", ln, nil)
	ask := func(path string) int {
		resp, err := http.Get("http://" + ln.Addr().String() + path)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body)
		return resp.StatusCode
	}
	stopCh := make(chan struct{})
	var before, ready, live int
	s.On(server.Listening, "ask", func(context.Context) error { before = ask("/readyz"); close(stopCh); return nil })
	s.On(server.Stopping, "ask", func(context.Context) error { ready, live = ask("/readyz"), ask("/livez"); return nil })
	if err := s.PrepareRun().Run(stopCh); err != nil {
		t.Fatal(err)
	}
	if before != 200 || ready != 500 || live != 200 {
		t.Errorf("/readyz is %d, then while the server stops %d, and /livez %d; want 200, 500, 200: it still answers, but wants no more requests", before, ready, live)
	}
}

func TestTheStepsOfTheStartAreServed(t *testing.T) {
	log := startup.New(io.Discard)
	log.Step("A3.1", "Run")("chain of %d", 3)
	s := server.New(server.Config{Startup: log, Install: routes.Install}, nil)
	s.PrepareRun()
	code, body := get(s.UnprotectedHandler(), "/debug/startup")
	if code != 200 || !strings.Contains(body, `"id":"A3.1","name":"Run","result":"chain of 3"`) {
		t.Errorf("/debug/startup must tell the steps that were printed, got %d %s", code, body)
	}
}

func TestTheIndexListsThePathsOfTheWholeChain(t *testing.T) {
	inner := newServer(nil)
	inner.Mux.Handle("/apis", http.NotFoundHandler())
	s := newServer(inner)
	s.PrepareRun()
	code, body := get(s.UnprotectedHandler(), "/")
	var index struct{ Paths []string }
	if err := json.Unmarshal([]byte(body), &index); err != nil || code != 200 {
		t.Fatalf("GET /: %d, %v", code, err)
	}
	seen := map[string]int{}
	for _, path := range index.Paths {
		seen[path]++
	}
	for _, path := range []string{"/apis", "/healthz", "/livez", "/livez/ping", "/readyz", "/readyz/shutdown", "/version"} {
		if seen[path] != 1 {
			t.Errorf("%s stands %d times in the index, want once: %v", path, seen[path], index.Paths)
		}
	}
	for path := range seen {
		if strings.HasSuffix(path, "/") {
			t.Errorf("%s is where single checks begin, and not one to be listed", path)
		}
	}
}
