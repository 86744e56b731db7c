package app_test

import (
	"flag"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage1-main/startup"
)

// lines collects what the server prints.
type lines struct {
	mu   sync.Mutex // guards text
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestTheWayOfAnObjectIsShown(t *testing.T) {
	if err := flag.Set("v", "2"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flag.Set("v", "0") })
	var out lines
	s := startWith(t, startup.New(&out))
	for _, c := range []struct{ method, path, body string }{{"POST", "", `{"metadata":{"name":"hello"}}`}, {"DELETE", "/hello", ""}} { // not with the server's own client
		req, err := http.NewRequestWithContext(t.Context(), c.method, s.url+"/api/v1/namespaces/default/configmaps"+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	want := regexp.MustCompile(`(ADDED|DELETED) /registry/configmaps/default/hello \d+: commit → Cacher [\d.]+ → frame [\d.]+ → Reflector [\d.]+ → DeltaFIFO [\d.]+ → indexer [\d.]+ → handler [\d.]+ ms`)
	s.until("both changes have come past all stations", func() bool { return len(want.FindAllString(out.String(), -1)) == 2 })
	if strings.Contains(out.String(), "/registry/namespaces/default ") {
		t.Errorf("what the server itself writes is shown, and nobody asked for it:\n%s", out.String())
	}
}
