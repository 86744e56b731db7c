package traffic_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage5-serve/traffic"
)

var formats = []negotiation.Format{{MediaType: "application/json"}}

// ask sends a request through a handler as a user.
func ask(h http.Handler, user request.User, method, path string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, nil)
	req = req.WithContext(request.WithUser(request.WithInfo(req.Context(), request.Parse(req)), user))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

var alice = request.User{Name: "alice"}

func TestTooManyRequestsAreRefusedAtOnceAndAdministratorsAreNot(t *testing.T) {
	m := traffic.NewMetrics("")
	inside, finish := make(chan struct{}), make(chan struct{})
	h := traffic.WithMaxInFlight(1, 1, m)(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		if req.URL.Query().Has("hold") {
			inside <- struct{}{}
			<-finish
		}
	}))
	const pods = "/api/v1/namespaces/ns/pods"
	held := make(chan struct{})
	go func() { defer close(held); ask(h, alice, "GET", pods+"?hold") }()
	<-inside
	w := ask(h, alice, "GET", pods)
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" {
		t.Errorf("a second read must be 429 with Retry-After, got %d %v", w.Code, w.Header())
	}
	for name, c := range map[string]struct {
		user         request.User
		method, path string
	}{
		"a write has a limit of its own": {alice, "POST", pods},
		"a watch is not counted":         {alice, "GET", pods + "?watch=true"},
		"an administrator is served":     {request.User{Name: "admin", Groups: []string{"system:masters"}}, "GET", pods},
	} {
		if w := ask(h, c.user, c.method, c.path); w.Code != 200 {
			t.Errorf("%s, got %d", name, w.Code)
		}
	}
	close(finish)
	<-held
	if w := ask(h, alice, "GET", pods); w.Code != 200 {
		t.Errorf("when the first has ended the next is served, got %d", w.Code)
	}
	text := ask(m.Handler(), alice, "GET", "/metrics").Body.String()
	if !strings.Contains(text, `apiserver_dropped_requests_total{request_kind="readOnly"} 1`) || !strings.Contains(text, `apiserver_current_inflight_requests{request_kind="readOnly"} 0`) {
		t.Errorf("the metrics must tell of it, they say\n%s", text)
	}
}

func TestARequestThatTakesTooLongGetsAnAnswer(t *testing.T) {
	answered, ended := make(chan struct{}), make(chan error, 1)
	slow := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		<-req.Context().Done()
		<-answered
		_, err := io.WriteString(w, "too late")
		ended <- err
	})
	h := traffic.WithTimeout(time.Hour, formats)(slow)
	if w := ask(h, alice, "GET", "/api/v1/pods?timeout=1ms"); w.Code != http.StatusGatewayTimeout || !strings.Contains(w.Body.String(), `"reason":"Timeout"`) {
		t.Errorf("want 504 with a Status, got %d %s", w.Code, w.Body)
	}
	close(answered)
	if err := <-ended; err == nil {
		t.Error("what the handler writes afterwards must fail")
	}
	if w := ask(h, alice, "GET", "/api/v1/pods?timeout=soon"); w.Code != http.StatusBadRequest {
		t.Errorf("a timeout that is none is 400, got %d", w.Code)
	}
	quick := traffic.WithTimeout(time.Hour, formats)(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("X-Kept", "yes")
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, "body")
	}))
	if w := ask(quick, alice, "GET", "/api/v1/pods"); w.Code != http.StatusTeapot || w.Header().Get("X-Kept") != "yes" || w.Body.String() != "body" {
		t.Errorf("a quick answer passes as it is, got %d %v %s", w.Code, w.Header(), w.Body)
	}
	watch := traffic.WithTimeout(time.Nanosecond, formats)(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		if _, bounded := req.Context().Deadline(); bounded {
			t.Error("a watch must not be bounded")
		}
	}))
	ask(watch, alice, "GET", "/api/v1/pods?watch=true")
}

func TestAPanicBehindTheTimeoutReachesWhoRecovers(t *testing.T) {
	h := traffic.WithTimeout(time.Hour, formats)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("oh") }))
	defer func() {
		if recover() == nil {
			t.Error("the panic of the handler's goroutine must be the request's")
		}
	}()
	ask(h, alice, "GET", "/api/v1/pods")
}

func TestBrowsersAreAnsweredForAllowedOriginsOnly(t *testing.T) {
	wrap, err := traffic.WithCORS([]string{`^https://(www\.)?example\.com$`})
	if err != nil {
		t.Fatal(err)
	}
	served := 0
	h := wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served++ }))
	for _, c := range []struct {
		method, origin string
		code, served   int
		allowed        string
	}{
		{"OPTIONS", "https://example.com", 204, 0, "https://example.com"},
		{"GET", "https://www.example.com", 200, 1, "https://www.example.com"},
		{"OPTIONS", "https://evil.com", 200, 1, ""},
		{"GET", "https://example.com.evil.com", 200, 1, ""},
		{"GET", "", 200, 1, ""},
	} {
		served = 0
		req := httptest.NewRequest(c.method, "/api", nil)
		req.Header.Set("Origin", c.origin)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		if got := w.Header().Get("Access-Control-Allow-Origin"); w.Code != c.code || served != c.served || got != c.allowed {
			t.Errorf("%s from %q: got %d, %d times served, allowed %q; want %+v", c.method, c.origin, w.Code, served, got, c)
		}
	}
	for _, open := range []string{"example.com", "^https://example.com", "example.com$", ".*"} {
		if _, err := traffic.WithCORS([]string{open}); err == nil || !strings.Contains(err.Error(), "other hosts") {
			t.Errorf("%s fits hosts of others, who must not be let in; got %v", open, err)
		}
	}
	for _, held := range []string{"//example.com(:|$)", "^https://example.com$"} {
		if _, err := traffic.WithCORS([]string{held}); err != nil {
			t.Errorf("%s holds the host at both ends: %v", held, err)
		}
	}
	if _, err := traffic.WithCORS([]string{"("}); err == nil || !strings.Contains(err.Error(), "--cors-allowed-origins=(") {
		t.Errorf("an expression that is none must be refused by the flag's name, got %v", err)
	}
}

func TestMetricsNameOnlyResourcesThatThereAre(t *testing.T) {
	m := traffic.NewMetrics("")
	m.Known = func(group, resource string) bool { return resource == "pods" }
	h := m.WithMetrics(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if strings.Contains(req.URL.Path, "panic") {
			panic("oh")
		}
		w.WriteHeader(http.StatusForbidden)
		for range 2 { // as a watch sends two events
			io.WriteString(w, "head")
			io.WriteString(w, "tail")
			http.NewResponseController(w).Flush()
		}
	}))
	ask(h, alice, "GET", "/api/v1/namespaces/ns/pods?watch=true")
	ask(h, alice, "GET", "/api/v1/namespaces/ns/pods/web/log")
	ask(h, alice, "LIST", "/api/v1/made-up-by-a-client")
	func() {
		defer func() { recover() }()
		ask(h, alice, "GET", "/panic")
	}()
	text := ask(m.Handler(), alice, "GET", "/metrics").Body.String()
	for _, want := range []string{
		`apiserver_request_total{code="403",group="",resource="pods",scope="resource",subresource="log",verb="GET",version="v1"} 1`,
		`apiserver_watch_events_total{group="",resource="pods",version="v1"} 2`,
		`apiserver_request_total{code="403",group="",resource="",scope="",subresource="",verb="other",version=""} 1`,
		`apiserver_request_total{code="500",group="",resource="",scope="",subresource="",verb="GET",version=""} 1`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics must have the line %s, they are\n%s", want, text)
		}
	}
	if strings.Contains(text, "made-up") {
		t.Error("a client must not be able to make up labels")
	}
}
