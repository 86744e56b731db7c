package discovery_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/discovery"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"github.com/google/go-cmp/cmp"
)

const all = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

var formats = []negotiation.Format{{MediaType: "application/json"}, {MediaType: "application/yaml"}}

// core has pods, with one subresource of another group.
func core(t *testing.T) server.GroupVersion {
	t.Helper()
	engine, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: filepath.Join(t.TempDir(), "state.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	pods := catalog.Resource{Version: "v1", Name: "pods", Singular: "pod", Kind: "Pod", Namespaced: true, ShortNames: []string{"po"}, Categories: []string{"all"}, StoredUnder: "pods"}
	store, err := registry.NewStore(registry.Kind{Resource: pods}, &registry.StorageFactory{RESTOptions: registry.RESTOptions{Storage: storage.New(engine)}})
	if err != nil {
		t.Fatal(err)
	}
	return server.GroupVersion{Version: "v1", Resources: []endpoints.APIResource{
		{Resource: pods, KindVersion: "v1", KindName: "Pod", Verbs: []string{"get", "list"}, Storage: store},
		{Resource: pods, Subresource: "eviction", KindVersion: "policy/v1", KindName: "Eviction", Verbs: []string{"create"}},
		{Resource: pods, Subresource: "status", KindVersion: "v1", KindName: "Pod", Verbs: []string{"get"}, Storage: store.Status()},
	}}
}

// boats is a version of a group with one resource.
func boats(version string) server.GroupVersion {
	r := catalog.Resource{Group: "sea", Version: version, Name: "boats", Singular: "boat", Kind: "Boat"}
	return server.GroupVersion{Group: "sea", Version: version, Resources: []endpoints.APIResource{
		{Resource: r, KindVersion: "sea/" + version, KindName: "Boat", Verbs: []string{"get"}},
	}}
}

func newMux(groups ...server.GroupVersion) (*stage1.PathRecorderMux, *server.Inventory) {
	mux, inventory := stage1.NewPathRecorderMux(), &server.Inventory{}
	for _, g := range groups {
		inventory.Add(g)
	}
	discovery.Install(mux, formats, inventory)
	return mux, inventory
}

func ask(mux http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, nil)
	req.Host = "here:1"
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, req)
	return w
}

func TestEveryDocumentIsWrittenAsUpstreamWritesIt(t *testing.T) {
	mux, _ := newMux(core(t), boats("v1beta1"), boats("v1"))
	for path, want := range map[string]string{
		"/api":          `{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"here:1"}]}`,
		"/api/":         `{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"here:1"}]}`,
		"/apis":         `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"sea","versions":[{"groupVersion":"sea/v1","version":"v1"},{"groupVersion":"sea/v1beta1","version":"v1beta1"}],"preferredVersion":{"groupVersion":"sea/v1","version":"v1"}}]}`,
		"/apis/sea":     `{"kind":"APIGroup","apiVersion":"v1","name":"sea","versions":[{"groupVersion":"sea/v1","version":"v1"},{"groupVersion":"sea/v1beta1","version":"v1beta1"}],"preferredVersion":{"groupVersion":"sea/v1","version":"v1"}}`,
		"/apis/sea/v1/": `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"sea/v1","resources":[{"name":"boats","singularName":"boat","namespaced":false,"kind":"Boat","verbs":["get"]}]}`,
		"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[` +
			`{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","list"],"shortNames":["po"],"categories":["all"],"storageVersionHash":"xPOwRZ+Yhw8="},` +
			`{"name":"pods/eviction","singularName":"","namespaced":true,"group":"policy","version":"v1","kind":"Eviction","verbs":["create"]},` +
			`{"name":"pods/status","singularName":"","namespaced":true,"kind":"Pod","verbs":["get"]}]}`,
	} {
		if diff := cmp.Diff(want+"\n", ask(mux, "GET", path).Body.String()); diff != "" {
			t.Errorf("GET %s (-want +got):\n%s", path, diff)
		}
	}
}

func TestOneDocumentForAllIsSentToWhomAsksForIt(t *testing.T) {
	mux, _ := newMux(core(t))
	const want = `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{},"versions":[{"version":"v1","resources":[` +
		`{"resource":"pods","responseKind":{"group":"","version":"","kind":"Pod"},"scope":"Namespaced","singularResource":"pod","verbs":["get","list"],"shortNames":["po"],"categories":["all"],"subresources":[` +
		`{"subresource":"eviction","responseKind":{"group":"policy","version":"v1","kind":"Eviction"},"verbs":["create"]},` +
		`{"subresource":"status","responseKind":{"group":"","version":"","kind":"Pod"},"verbs":["get"]}]}],"freshness":"Current"}]}]}` + "\n"
	w := ask(mux, "GET", "/api", "Accept", all+",application/json")
	if diff := cmp.Diff(want, w.Body.String()); diff != "" {
		t.Errorf("GET /api (-want +got):\n%s", diff)
	}
	if got := w.Header().Get("Content-Type"); got != all {
		t.Errorf("the document is called %q; want %q, or clients take it for something else", got, all)
	}
	for accept, kind := range map[string]string{
		strings.Replace(all, "v=v2", "v=v2beta1", 1) + "," + all:           `"apiVersion":"apidiscovery.k8s.io/v2"`,
		"application/json," + all:                                          `"kind":"APIVersions"`,
		strings.Replace(all, "v=v2", "v=v2beta1", 1) + ",application/json": `"kind":"APIVersions"`,
		"*/*": `"kind":"APIVersions"`,
	} {
		if body := ask(mux, "GET", "/api", "Accept", accept).Body.String(); !strings.Contains(body, kind) {
			t.Errorf("Accept: %s is answered with %s; want %s in it", accept, body, kind)
		}
	}
}

func TestWhoHasTheDocumentIsSparedIt(t *testing.T) {
	mux, inventory := newMux(core(t), boats("v1"))
	etag := ask(mux, "GET", "/apis", "Accept", all).Header().Get("Etag")
	w := ask(mux, "GET", "/apis", "Accept", all, "If-None-Match", etag)
	if w.Code != http.StatusNotModified || w.Body.Len() > 0 {
		t.Errorf("the same document is sent again: %d with %d bytes", w.Code, w.Body.Len())
	}
	inventory.Add(boats("v2"))
	if code := ask(mux, "GET", "/apis", "Accept", all, "If-None-Match", etag).Code; code != http.StatusOK {
		t.Errorf("after a change of the inventory the old tag is still answered with %d", code)
	}
}

func TestWhatIsNotThereIsSaidAsUpstreamSaysIt(t *testing.T) {
	mux, _ := newMux(core(t), boats("v1"))
	for _, c := range []struct {
		method, path string
		code         int
		contentType  string
	}{
		{"GET", "/apis/mountain", 404, "text/plain; charset=utf-8"},
		{"GET", "/apis/mountain/v1/huts", 404, "text/plain; charset=utf-8"},
		{"GET", "/apis/sea/v9", 404, "application/json"},
		{"GET", "/apis/sea/v1/nosuch", 404, "application/json"},
		{"GET", "/api/v9", 404, "application/json"},
		{"POST", "/api", 405, "application/json"},
		{"POST", "/apis/", 405, "application/json"},
		{"DELETE", "/apis/sea", 405, "application/json"},
		{"PUT", "/api/v1", 405, "application/json"},
		{"HEAD", "/apis/sea/v1", 405, "application/json"},
	} {
		w := ask(mux, c.method, c.path)
		if w.Code != c.code || w.Header().Get("Content-Type") != c.contentType {
			t.Errorf("%s %s is answered with %d %s; want %d %s", c.method, c.path, w.Code, w.Header().Get("Content-Type"), c.code, c.contentType)
		}
	}
	if w := ask(mux, "GET", "/api", "Accept", "text/html"); w.Code != 406 {
		t.Errorf("Accept: text/html is answered with %d; want 406", w.Code)
	}
}

func TestDiscoveryFollowsTheInventory(t *testing.T) {
	mux, inventory := newMux(core(t))
	inventory.Add(boats("v1"))
	if code := ask(mux, "GET", "/apis/sea/v1").Code; code != 200 {
		t.Errorf("a group that was added is answered with %d", code)
	}
	if !slices.Contains(mux.ListedPaths(), "/apis/sea/v1") {
		t.Errorf("a group that was added is missing in the list of paths: %v", mux.ListedPaths())
	}
	for path, listed := range map[string]bool{"/api": true, "/api/": false, "/apis": true, "/apis/": true} {
		if slices.Contains(mux.ListedPaths(), path) != listed {
			t.Errorf("%s is to be listed: %t, as upstream has it; the list is %v", path, listed, mux.ListedPaths())
		}
	}
	inventory.Remove(boats("v1"))
	if code := ask(mux, "GET", "/apis/sea/v1").Code; code != 404 {
		t.Errorf("a group that was removed is answered with %d", code)
	}
	if body := ask(mux, "GET", "/apis").Body.String(); strings.Contains(body, "sea") {
		t.Errorf("a group that was removed is still listed: %s", body)
	}
}

func TestTheBestVersionOfAGroupComesFirst(t *testing.T) {
	order := []string{"v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"}
	mux, inventory := newMux()
	for _, v := range slices.Backward(order) {
		inventory.Add(boats(v))
	}
	var group struct {
		Versions []struct{ Version string }
	}
	if err := json.Unmarshal(ask(mux, "GET", "/apis/sea").Body.Bytes(), &group); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range group.Versions {
		got = append(got, v.Version)
	}
	if diff := cmp.Diff(order, got); diff != "" {
		t.Errorf("versions from best to worst (-want +got):\n%s", diff)
	}
}
