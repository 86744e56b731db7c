package plugintest

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage1-main/startup"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage4-informers/app"
	"example.com/kube-apiserver/stage4-informers/client"
	"github.com/spf13/pflag"
)

// Server is stage 4, running.
type Server struct {
	t   testing.TB
	url string
}

// Start runs stage 4 until the test ends. flags are added to its command line,
// such as --admission-control=LimitRanger.
func Start(t testing.TB, flags ...string) *Server {
	t.Helper()
	s := options.NewServerRunOptions()
	out := &screen{url: make(chan string, 1)}
	s.Startup = startup.New(out)
	fs := pflag.NewFlagSet("stage4", pflag.ContinueOnError)
	s.AddFlags(fs)
	flagtable.AddFlags(s, fs)
	own := []string{"--controllers=", "--bbolt-file=" + filepath.Join(t.TempDir(), "state.db"), "--insecure-port=" + freePort(t)}
	if err := fs.Parse(append(own, flags...)); err != nil {
		t.Fatal(err)
	}
	stopCh, result := make(chan struct{}), make(chan error, 1)
	go func() { result <- app.Run(s, stopCh) }()
	select {
	case url := <-out.url:
		t.Cleanup(func() {
			// A server that stops waits for seconds for a connection without a first request.
			http.DefaultClient.CloseIdleConnections()
			close(stopCh)
			if err := <-result; err != nil {
				t.Errorf("the server did not stop in order: %v", err)
			}
		})
		running := &Server{t, url}
		running.Until(Is(http.StatusOK), "GET", "namespaces/default", "") // made at the start, beside everything else
		return running
	case err := <-result:
		t.Fatalf("the server ended before it served: %v", err)
	}
	return nil
}

func freePort(t testing.TB) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return strconv.Itoa(ln.Addr().(*net.TCPAddr).Port)
}

// screen is where the server writes its start-up lines; one of them is its address.
type screen struct{ url chan string }

var serving = regexp.MustCompile(`^serving (http://\S+)`)

func (s *screen) Write(p []byte) (int, error) {
	if m := serving.FindSubmatch(p); m != nil {
		s.url <- string(m[1])
	}
	return len(p), nil
}

// Client is a client of the server, such as plugins are given.
func (s *Server) Client() *client.Client {
	return &client.Client{Base: s.url, HTTP: http.DefaultClient}
}

// Answer is what a client gets.
type Answer struct {
	Code     int
	Object   map[string]any
	Warnings []string
}

// Message is the text of an answer that refuses.
func (a Answer) Message() string {
	text, _ := a.Object["message"].(string)
	return text
}

// Do sends a request. path is below /api/v1; body may be "". A PATCH is a merge patch.
func (s *Server) Do(method, path, body string) Answer {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+"/api/v1/"+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/merge-patch+json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := Answer{Code: resp.StatusCode}
	for _, w := range resp.Header.Values("Warning") {
		text, err := strconv.Unquote(strings.TrimPrefix(w, "299 - "))
		if err != nil {
			s.t.Errorf("the warning %s has not the form of one", w)
		}
		a.Warnings = append(a.Warnings, text)
	}
	if err := json.Unmarshal(data, &a.Object); err != nil {
		s.t.Fatalf("%s %s is not answered with JSON: %v\n%s", method, path, err, data)
	}
	return a
}

// Create POSTs an object that must be accepted.
func (s *Server) Create(path, body string) Answer {
	s.t.Helper()
	a := s.Do(http.MethodPost, path, body)
	if a.Code != http.StatusCreated {
		s.t.Fatalf("POST %s of\n%s\nis refused: %d %s", path, body, a.Code, a.Message())
	}
	return a
}

// Until repeats a request until its answer is good: the server's informers
// hear of a write a moment after it was made.
func (s *Server) Until(good func(Answer) bool, method, path, body string) Answer {
	s.t.Helper()
	const patience = 30 * time.Second // of which it uses milliseconds, unless something is wrong
	var a Answer
	for began := time.Now(); time.Since(began) < patience; {
		if a = s.Do(method, path, body); good(a) {
			return a
		}
	}
	s.t.Fatalf("%s %s is still answered with %d %s %v", method, path, a.Code, a.Message(), a.Warnings)
	return a
}

// Is makes a condition for Until.
func Is(code int) func(Answer) bool { return func(a Answer) bool { return a.Code == code } }
