package app_test

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage1-main/startup"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage5-serve/app"
	"github.com/spf13/pflag"
)

// running is a whole server with its data in a temporary folder.
type running struct {
	url        string
	kubeconfig string
	admin      *http.Client // shows the administrator's token
	client     *client.Client
}

const adminToken = "admintoken"

// screen is where the server writes its start-up lines; it tells when it serves.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
	url  chan string
}

var serving = regexp.MustCompile(`(?m)^serving (https://\S+)`)

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	if m := serving.FindStringSubmatch(s.text.String()); m != nil && bytes.Contains(p, []byte("serving ")) {
		s.url <- m[1]
	}
	return len(p), nil
}

// start runs the server until the test ends, and checks that it stops in order.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	folder := t.TempDir()
	tokens := filepath.Join(folder, "tokens.csv")
	write(t, tokens, adminToken+`,admin,admin,"system:masters"`+"\nalicetoken,alice,alice,\"devs\"\n")
	s := app.NewServerRunOptions()
	out := &screen{url: make(chan string, 1)}
	s.Startup = startup.New(out)
	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	s.AddFlags(fs)
	app.AddFlags(s)
	args = append([]string{
		"--secure-port=0", "--bbolt-file=" + filepath.Join(folder, "state.db"),
		"--cert-dir=" + filepath.Join(folder, "certs"), "--token-auth-file=" + tokens,
	}, args...)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	stopCh, result := make(chan struct{}), make(chan error, 1)
	go func() { result <- app.Run(s, stopCh) }()
	r := &running{kubeconfig: filepath.Join(folder, "certs", "admin.kubeconfig")}
	select {
	case r.url = <-out.url:
	case err := <-result:
		t.Fatalf("the server ended before it served: %v\n%s", err, out.text.String())
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	r.admin = &http.Client{Transport: withToken{transport, adminToken}}
	r.client = &client.Client{Base: r.url, HTTP: r.admin}
	for ready := false; !ready && t.Context().Err() == nil; { // hooks are at work; the test's timeout bounds it
		resp, err := r.admin.Get(r.url + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		ready = resp.StatusCode == http.StatusOK
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		close(stopCh)
		if err := <-result; err != nil {
			t.Errorf("the server did not stop in order: %v", err)
		}
	})
	return r
}

type withToken struct {
	next  http.RoundTripper
	token string
}

func (w withToken) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+w.token)
	return w.next.RoundTrip(req)
}

// do sends a request and returns the code and the body of its answer.
func (r *running) do(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := r.admin.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.ProtoMajor != 2 {
		t.Errorf("%s %s was answered over %s, want HTTP/2", method, path, resp.Proto)
	}
	return resp.StatusCode, strings.TrimSuffix(string(answer), "\n")
}

var podRow = catalog.Resource{Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true}

// noGoroutineIsLeft fails the test if one of ours outlives everything that the
// test has started. Call it first.
func noGoroutineIsLeft(t *testing.T) {
	t.Cleanup(func() {
		var left string
		for range 1000 { // those that have been told to end get some turns to do so
			runtime.Gosched()
			var all strings.Builder
			pprof.Lookup("goroutine").WriteTo(&all, 1)
			left = ""
			for _, stack := range strings.Split(all.String(), "\n\n") {
				if strings.Contains(stack, "kube-apiserver/stage") && !strings.Contains(stack, "testing.tRunner") {
					left += stack + "\n"
				}
			}
			if left == "" {
				return
			}
		}
		t.Errorf("the server has stopped, and this still runs:\n%s", left)
	})
}

func TestPodCreatedOverTLSReachesAnInformer(t *testing.T) {
	noGoroutineIsLeft(t)
	s := start(t)
	factory := informers.NewSharedInformerFactory(func(r catalog.Resource) cache.ListerWatcher { return s.client.ListerWatcher(r, "") }, 0)
	added := make(chan *object.Encoded, 1)
	factory.ForResource(podRow).AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) { added <- obj.(*object.Encoded) }})
	stopCh := make(chan struct{})
	factory.Start(stopCh)
	defer factory.Shutdown()
	defer close(stopCh)
	factory.WaitForCacheSync(stopCh)

	code, answer := s.do(t, "POST", "/api/v1/namespaces/default/pods",
		`{"metadata":{"name":"web","annotations":{"digits":"12345678901234567890"}},"spec":{"containers":[{"name":"c","image":"nginx:1"}]}}`)
	if code != http.StatusCreated {
		t.Fatalf("POST of a pod: got %d\n%s", code, answer)
	}
	if got := string((<-added).JSON()); got != answer {
		t.Errorf("the informer heard\n%s\nand the client got\n%s\nwhich must be the same bytes", got, answer)
	}
	if _, again := s.do(t, "GET", "/api/v1/namespaces/default/pods/web", ""); again != answer {
		t.Errorf("GET answers\n%s\nand POST had answered\n%s", again, answer)
	}
}

func TestWhoShowsNothingReadsHealthAndVersionOnly(t *testing.T) {
	s := start(t)
	nobody := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer nobody.CloseIdleConnections()
	for path, want := range map[string]int{
		"/healthz": 200, "/readyz": 200, "/version": 200,
		"/api": 403, "/api/v1/pods": 403, "/debug/startup": 403, "/nosuch": 403, "/openapi/v3": 403,
	} {
		resp, err := nobody.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("GET %s without credentials: got %d, want %d", path, resp.StatusCode, want)
		}
	}
	bad := &http.Client{Transport: withToken{&http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}, "wrong"}}
	resp, err := bad.Get(s.url + "/version")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Errorf("a wrong token is not nobody: got %d, want 401", resp.StatusCode)
	}
}

func TestErratumE20(t *testing.T) {
	t.Log("the article: s.Handler is the handler of all REST APIs. It is the filters and, behind them, everything there is; each request passes the filters once, whichever of the three servers answers")
	s := start(t)
	for _, path := range []string{"/healthz", "/api", "/api/v1/namespaces/default", "/apis"} {
		if code, body := s.do(t, "GET", path, ""); code != 200 {
			t.Errorf("GET %s through the one handler: got %d\n%s", path, code, body)
		}
	}
	if code, _ := s.do(t, "GET", "/nosuch", ""); code != 404 {
		t.Errorf("what none of the three servers knows is 404, got %d", code)
	}
}

func TestADeletedNamespaceGoesWithItsContent(t *testing.T) {
	s := start(t)
	if code, answer := s.do(t, "POST", "/api/v1/namespaces", `{"metadata":{"name":"gone"}}`); code != 201 {
		t.Fatalf("POST of a namespace: %d %s", code, answer)
	}
	s.do(t, "POST", "/api/v1/namespaces/gone/configmaps", `{"metadata":{"name":"keep","finalizers":["example.com/f"]}}`)
	if code, answer := s.do(t, "DELETE", "/api/v1/namespaces/gone", ""); code != 200 || !strings.Contains(answer, `"phase":"Terminating"`) {
		t.Fatalf("DELETE of a namespace: %d %s", code, answer)
	}
	if code, answer := s.do(t, "POST", "/api/v1/namespaces/gone/configmaps", `{"metadata":{"name":"late"}}`); code != 403 || !strings.Contains(answer, "NamespaceTerminating") {
		t.Errorf("nothing new is created in a namespace that goes: got %d %s", code, answer)
	}
	events := s.client.ListerWatcher(catalog.Resource{Version: "v1", Name: "namespaces", Kind: "Namespace"}, "").Watch(t.Context(), "1")
	s.do(t, "PUT", "/api/v1/namespaces/gone/configmaps/keep", `{"metadata":{"name":"keep"}}`) // the finalizer goes
	for ev, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		if obj, err := ev.Object.Object(); err == nil && ev.Type == cache.EventDeleted && obj.Meta.Name == "gone" {
			break
		}
	}
	if code, _ := s.do(t, "GET", "/api/v1/namespaces/gone", ""); code != 404 {
		t.Errorf("the namespace was seen to go and is still there: %d", code)
	}
}

func TestParallelPatchesAllSurvive(t *testing.T) {
	s := start(t)
	s.do(t, "POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"c"}}`)
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			req, _ := http.NewRequestWithContext(t.Context(), "PATCH", s.url+"/api/v1/namespaces/default/configmaps/c", strings.NewReader(fmt.Sprintf(`{"data":{"k%d":"v"}}`, i)))
			req.Header.Set("Content-Type", "application/merge-patch+json")
			resp, err := s.admin.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
			if resp.StatusCode != 200 {
				t.Errorf("a patch without a resourceVersion never conflicts: got %d", resp.StatusCode)
			}
		})
	}
	wg.Wait()
	if _, answer := s.do(t, "GET", "/api/v1/namespaces/default/configmaps/c", ""); strings.Count(answer, `":"v"`) != 30 {
		t.Errorf("30 patches each added a key, and there is %s", answer)
	}
}
