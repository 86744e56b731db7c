package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage4-informers/cache"
)

func TestInformerHookIsListedAndHandlersHear(t *testing.T) {
	s := start(t, "--controllers=") // the informer of namespaces is wanted by the plugin NamespaceLifecycle
	_, checks := s.get("/healthz?verbose")
	if want := "poststarthook/start-kube-apiserver-informers ok"; !strings.Contains(checks, want) {
		t.Fatalf("%q is not among the health checks, so the informers are not started by a hook of this name:\n%s", want, checks)
	}
	heard := make(chan string, 100)
	s.factory.ForResource(namespaces).AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
		if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
			heard <- key
		}
	}})
	s.make(namespaces, "", `{"metadata":{"name":"news"}}`)
	for name := ""; name != "news"; {
		select {
		case name = <-heard:
		case <-time.After(10 * time.Second):
			t.Fatal("a namespace was made and the handler has not heard of it: the hook is there, and starts no informers")
		}
	}
}

// The article calls the hook the whole of the final start. It starts one
// factory of informers; there are other hooks beside it.
func TestErratumE12(t *testing.T) {
	s := start(t)
	_, checks := s.get("/healthz?verbose")
	t.Log("/healthz lists the hooks:\n" + checks)
	if n := strings.Count(checks, "poststarthook/"); n < 3 {
		t.Errorf("there are %d hooks, want the one of the article and others:\n%s", n, checks)
	}
}

// The article has the components of a cluster speak through SharedInformers,
// which collect the requests of clients. No request needs one: here no informer runs.
func TestErratumE14(t *testing.T) {
	s := start(t, "--controllers=", "--admission-control=AlwaysAdmit")
	stopped := make(chan struct{})
	close(stopped)
	if running := s.factory.WaitForCacheSync(stopped); len(running) > 0 {
		t.Fatalf("informers run that nobody asked for: %v", running)
	}
	s.make(configMaps, "default", `{"metadata":{"name":"hello"}}`)
	code, body := s.get("/api/v1/namespaces/default/configmaps/hello")
	t.Logf("no informer runs; after a POST, GET of the object: %d", code)
	if code != http.StatusOK {
		t.Errorf("without any informer GET answers %d: %s", code, body)
	}
}
