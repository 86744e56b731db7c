package app_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
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
	"example.com/kube-apiserver/stage5-serve/flags"
	"example.com/kube-apiserver/stage5-serve/testserver"
	"github.com/spf13/pflag"
)

// running is a whole server with its data in a temporary folder.
type running struct {
	*testserver.Server
	url    string
	client *client.Client
}

const adminToken = "admintoken"

// start runs the server until the test ends, and checks that it stops in order.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	s := testserver.Start(t, testserver.Options{Args: args, Users: []testserver.User{
		{Token: adminToken, Name: "root", Groups: []string{"system:masters"}}, {Token: "alicetoken", Name: "alice", Groups: []string{"devs"}},
	}})
	return &running{s, s.URL, &client.Client{Base: s.URL, HTTP: s.Client}}
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
	resp, err := r.Client.Do(req)
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
	t.Parallel()
	s := start(t)
	for path, want := range map[string]int{
		"/healthz": 200, "/readyz": 200, "/version": 200,
		"/api": 403, "/api/v1/pods": 403, "/debug/startup": 403, "/nosuch": 403, "/openapi/v3": 403, "/metrics": 403, "/debug/pprof/": 403,
	} {
		if code, _ := s.as(t, "", "GET", path, ""); code != want {
			t.Errorf("GET %s without credentials: got %d, want %d", path, code, want)
		}
	}
	if code, _ := s.as(t, "wrong", "GET", "/version", ""); code != 401 {
		t.Errorf("a wrong token is not nobody: got %d, want 401", code)
	}
}

// The article: s.Handler is the handler of all REST APIs. It is the filters
// and, behind them, everything there is; each request passes the filters once,
// whichever of the three servers answers. The audit log is one of the filters.
func TestErratumE20(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "audit.log")
	paths := map[string]int{"/healthz?once": 200, "/api?once": 200, "/api/v1/namespaces/default?once": 200, "/apis?once": 200, "/nosuch?once": 404}
	t.Run("serve", func(t *testing.T) { // and stop: the last line is written after the last answer
		s := start(t, "--audit-log-path="+log)
		for path, want := range paths {
			if code, body := s.do(t, "GET", path, ""); code != want {
				t.Errorf("GET %s through the one handler: got %d, want %d\n%s", path, code, want, body)
			}
		}
	})
	lines, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for path := range paths {
		n := strings.Count(string(lines), fmt.Sprintf(`"stage":"ResponseComplete","requestURI":%q`, path))
		t.Logf("GET %s: lines of the audit log, which is a filter: %d", path, n)
		if n != 1 {
			t.Errorf("GET %s passed the filters %d times, want once", path, n)
		}
	}
}

// The article reads as if serveSecurely read the files. They are read with the
// options; without them the server goes on with what it has.
func TestErratumE21(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := testserver.Start(t, testserver.Options{Folder: folder})
	for _, name := range []string{"apiserver.crt", "apiserver.key", "ca.crt", "ca.key"} {
		if err := os.Remove(filepath.Join(folder, "certs", name)); err != nil {
			t.Fatal(err)
		}
	}
	resp, err := s.As(s.Token).Get(s.URL + "/version") // over a new connection
	if err != nil {
		t.Fatalf("the certificates are in memory, their files are not needed: %v", err)
	}
	resp.Body.Close()
	t.Logf("the files are gone; GET /version over a new connection: %d", resp.StatusCode)
}

// The article leaves out two of the three servers, and that the plain port, if
// there is one, is served as well. The start-up lines tell the order.
func TestErratumE22(t *testing.T) {
	t.Parallel()
	s := start(t)
	_, steps := s.do(t, "GET", "/debug/startup", "")
	at := 0
	for _, step := range []string{"CreateNodeDialer", "Validate", "master.Config", "certificates", "backend", "CreateKubeAPIServer", "NewLegacyRESTStorage", "InstallAPIs", "CreateServerChain"} {
		i := strings.Index(steps[at:], step)
		if i < 0 {
			t.Fatalf("%s must come in its place in the start\n%s", step, steps)
		}
		at += i
	}
	want := "kube-aggregator → kube-apiserver → apiextensions-apiserver"
	if i := strings.Index(steps, "kube-aggregator →"); i >= 0 {
		chain, _, _ := strings.Cut(steps[i:], `"`)
		t.Log("/debug/startup says of the chain: " + chain)
	}
	if !strings.Contains(steps, want) {
		t.Errorf("three servers make the chain, %s; the lines say\n%s", want, steps)
	}
}

func TestBusyPortIsAnError(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	store := filepath.Join(t.TempDir(), "state.db")
	s := app.NewServerRunOptions()
	s.Startup = startup.New(io.Discard)
	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	s.AddFlags(fs)
	flags.AddFlags(s)
	if err := fs.Parse([]string{"--secure-port=" + port, "--bbolt-file=" + store, "--cert-dir=" + t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	if err := app.Run(s, make(chan struct{})); err == nil || !strings.Contains(err.Error(), "--secure-port="+port) {
		t.Errorf("Run must return an error that names the flag, got %v", err)
	}
	if _, err := os.Stat(store); err == nil {
		t.Error("who finds the port in use must not touch the data")
	}
}

func TestADeletedNamespaceGoesWithItsContent(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	s := start(t)
	s.do(t, "POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"c"}}`)
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			req, _ := http.NewRequestWithContext(t.Context(), "PATCH", s.url+"/api/v1/namespaces/default/configmaps/c", strings.NewReader(fmt.Sprintf(`{"data":{"k%d":"v"}}`, i)))
			req.Header.Set("Content-Type", "application/merge-patch+json")
			resp, err := s.Client.Do(req)
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
