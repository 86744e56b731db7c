package openapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	v2 "github.com/google/gnostic-models/openapiv2"
	v3 "github.com/google/gnostic-models/openapiv3"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/openapi"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

var verbs = []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

func pods(t testing.TB) openapi.Resource {
	t.Helper()
	pod, _ := builtin.Kind("v1", "Pod")
	list, _ := builtin.Kind("v1", "PodList")
	eviction, ok := builtin.Kind("policy/v1", "Eviction")
	if !ok {
		t.Fatal("the test needs the schemas of pods and evictions")
	}
	return openapi.Resource{
		Resource: catalog.Resource{Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true},
		Verbs:    verbs, Schema: pod, List: list,
		Subresources: []openapi.Subresource{
			{"status", "", "v1", "Pod", []string{"get", "patch", "update"}, pod},
			{"eviction", "policy", "v1", "Eviction", []string{"create"}, eviction},
		},
	}
}

// widgets is a custom resource without any text.
func widgets() openapi.Resource {
	s := &schema.Schema{Type: schema.Object, Loose: true, Name: "com.example.v1.Widget", Properties: map[string]*schema.Schema{
		"spec": {Type: schema.Object, Loose: true, Open: true, Properties: map[string]*schema.Schema{"size": {Type: schema.Integer64, Loose: true, Required: true}}},
	}}
	return openapi.Resource{
		Resource: catalog.Resource{Group: "example.com", Version: "v1", Name: "widgets", Kind: "Widget"},
		Verbs:    verbs, Schema: s,
	}
}

// server is a handler whose resources a test may replace.
type server struct {
	*openapi.Handler
	mu      sync.Mutex
	rows    []openapi.Resource
	changed chan struct{}
}

func (s *server) watch() ([]openapi.Resource, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows, s.changed
}

func (s *server) Replace(rows []openapi.Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.rows, s.changed = rows, make(chan struct{})
}

func handler(t testing.TB, rows ...openapi.Resource) *server {
	status, _ := builtin.Kind("v1", "Status")
	options, _ := builtin.Kind("v1", "DeleteOptions")
	s := &server{rows: rows, changed: make(chan struct{})}
	s.Handler = openapi.NewHandler(openapi.Info{Version: "v1.37.0", Paths: []string{"version"}, Status: status, DeleteOptions: options}, s.watch)
	return s
}

func get(h http.Handler, url string, header ...string) *http.Response {
	req := httptest.NewRequest("GET", url, nil)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w.Result()
}

func body(t testing.TB, r *http.Response) map[string]any {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		t.Fatalf("the answer must be 200, but is %d (%v): %.200s", r.StatusCode, err, data)
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("the answer must be JSON: %v\n%.200s", err, data)
	}
	return v
}

// at walks down a document.
func at(t testing.TB, v any, path ...string) any {
	t.Helper()
	for i, name := range path {
		m, _ := v.(map[string]any)
		if v = m[name]; v == nil {
			t.Fatalf("the document has nothing at %s", strings.Join(path[:i+1], " → "))
		}
	}
	return v
}

// index returns where each document is.
func index(t testing.TB, h http.Handler) map[string]string {
	t.Helper()
	urls := map[string]string{}
	for path := range at(t, body(t, get(h, "/openapi/v3")), "paths").(map[string]any) {
		urls[path] = at(t, body(t, get(h, "/openapi/v3")), "paths", path, "serverRelativeURL").(string)
	}
	return urls
}

func TestTheIndexNamesEveryDocument(t *testing.T) {
	h := handler(t, pods(t), widgets())
	urls := index(t, h)
	for _, path := range []string{"api", "api/v1", "apis", "apis/example.com", "apis/example.com/v1", "version"} {
		if !strings.HasPrefix(urls[path], "/openapi/v3/"+path+"?hash=") {
			t.Errorf("the index must have an address for %s, but has %q", path, urls[path])
			continue
		}
		if v := at(t, body(t, get(h, urls[path])), "openapi"); v != "3.0.0" {
			t.Errorf("the document of %s must be in version 3.0.0, not %v", path, v)
		}
	}
	if len(urls) != 6 {
		t.Errorf("the index must have 6 addresses, but has %v", urls)
	}
	if r := get(h, "/openapi/v3/apis/nosuch/v1"); r.StatusCode != 404 || r.ContentLength > 0 {
		t.Errorf("a group that is not there is an empty 404, not %d", r.StatusCode)
	}
}

func TestADocumentUnderItsHashMayBeKeptForGood(t *testing.T) {
	h := handler(t, pods(t))
	url := index(t, h)["api/v1"]
	r := get(h, url)
	if c := r.Header.Get("Cache-Control"); c != "public, immutable" {
		t.Errorf("what has its hash in its address never changes, but Cache-Control is %q", c)
	}
	tag := r.Header.Get("Etag")
	if r := get(h, url, "If-None-Match", tag); r.StatusCode != 304 {
		t.Errorf("who has it already must get 304, not %d", r.StatusCode)
	}
	if r := get(h, "/openapi/v3/api/v1"); r.Header.Get("Etag") != tag || strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("without the hash it is the same document, which may change: %v", r.Header)
	}
	if r := get(h, "/openapi/v3/api/v1?hash=old"); r.StatusCode != 301 || r.Header.Get("Location") != url {
		t.Errorf("an old hash must lead to %s, but got %d %s", url, r.StatusCode, r.Header.Get("Location"))
	}
}

func TestHashesChangeWithTheContentAndOnlyThen(t *testing.T) {
	h := handler(t, pods(t))
	before := index(t, h)
	h.Replace([]openapi.Resource{pods(t)})
	if diff := cmp.Diff(before, index(t, h)); diff != "" {
		t.Errorf("the same rows must give the same addresses (-before +after):\n%s", diff)
	}
	h.Replace([]openapi.Resource{pods(t), widgets()})
	added := index(t, h)
	if added["api/v1"] != before["api/v1"] || added["apis/example.com/v1"] == "" {
		t.Errorf("a new group must come and leave the others alone: %v, then %v", before, added)
	}
	changed := widgets()
	changed.Schema.Properties["spec"].Properties["colour"] = &schema.Schema{Type: schema.String, Loose: true}
	h.Replace([]openapi.Resource{pods(t), changed})
	if after := index(t, h); after["apis/example.com/v1"] == added["apis/example.com/v1"] {
		t.Error("a kind with another structure must have another address")
	}
	h.Replace([]openapi.Resource{pods(t)})
	if diff := cmp.Diff(before, index(t, h)); diff != "" {
		t.Errorf("a group that is gone must leave nothing behind (-before +after):\n%s", diff)
	}
}

func TestKubectlFindsOutThatFieldsAreChecked(t *testing.T) {
	doc := body(t, get(handler(t, pods(t)), "/openapi/v3/api/v1"))
	patch := at(t, doc, "paths", "/api/v1/namespaces/{namespace}/pods/{name}", "patch")
	if diff := cmp.Diff(map[string]any{"group": "", "version": "v1", "kind": "Pod"}, at(t, patch, "x-kubernetes-group-version-kind")); diff != "" {
		t.Errorf("the operation must name its kind (-want +got):\n%s", diff)
	}
	var names []string
	for _, p := range at(t, patch, "parameters").([]any) {
		names = append(names, at(t, p, "name").(string))
	}
	if want := []string{"dryRun", "fieldManager", "fieldValidation", "force"}; !slices.Equal(names, want) {
		t.Errorf("the parameters of a patch must be %q, not %q", want, names)
	}
	at(t, patch, "requestBody", "content", "application/strategic-merge-patch+json")
}

func TestSubresourcesNameTheirOwnKinds(t *testing.T) {
	doc := body(t, get(handler(t, pods(t)), "/openapi/v3/api/v1"))
	if kind := at(t, doc, "paths", "/api/v1/namespaces/{namespace}/pods/{name}/eviction", "post", "x-kubernetes-group-version-kind", "kind"); kind != "Eviction" {
		t.Errorf("what is posted to eviction is an Eviction, not a %v", kind)
	}
	at(t, doc, "paths", "/api/v1/namespaces/{namespace}/pods/{name}/status", "put")
	at(t, doc, "paths", "/api/v1/pods", "get")
}

func TestStructuresCarryWhatExplainAndPatchesNeed(t *testing.T) {
	doc := body(t, get(handler(t, pods(t)), "/openapi/v3/api/v1"))
	schemas := at(t, doc, "components", "schemas")
	container := at(t, schemas, "io.k8s.api.core.v1.Container")
	if diff := cmp.Diff([]any{"name"}, at(t, container, "required")); diff != "" {
		t.Errorf("a container requires a name and nothing else (-want +got):\n%s", diff)
	}
	got := map[string]any{}
	for key, v := range at(t, container, "properties", "ports").(map[string]any) {
		if strings.HasPrefix(key, "x-") {
			got[key] = v
		}
	}
	want := map[string]any{
		"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"containerPort", "protocol"},
		"x-kubernetes-patch-merge-key": "containerPort", "x-kubernetes-patch-strategy": "merge",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ports must say how they are merged (-want +got):\n%s", diff)
	}
	spec := at(t, schemas, "io.k8s.api.core.v1.Pod", "properties", "spec")
	if ref := at(t, at(t, spec, "allOf").([]any)[0], "$ref"); ref != "#/components/schemas/io.k8s.api.core.v1.PodSpec" {
		t.Errorf("spec must refer to PodSpec, not to %v", ref)
	}
	at(t, spec, "description")
	policy := at(t, schemas, "io.k8s.api.core.v1.PodSpec", "properties", "restartPolicy")
	if text := at(t, policy, "description").(string); !strings.Contains(text, "\n - `\"OnFailure\"`") || len(at(t, policy, "enum").([]any)) != 3 {
		t.Errorf("the values of an enumeration must be listed, but the text is %q", text)
	}
}

func TestEveryReferenceLeadsSomewhere(t *testing.T) {
	doc := body(t, get(handler(t, pods(t)), "/openapi/v3/api/v1"))
	schemas, seen := at(t, doc, "components", "schemas").(map[string]any), 0
	var check func(v any)
	check = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				check(e)
			}
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				seen++
				if schemas[strings.TrimPrefix(ref, "#/components/schemas/")] == nil {
					t.Errorf("nothing is at %s", ref)
				}
			}
			for _, e := range v {
				check(e)
			}
		}
	}
	check(doc)
	if seen < 200 {
		t.Errorf("a pod has hundreds of references, but only %d were found", seen)
	}
}

func TestACustomKindIsDescribedToo(t *testing.T) {
	doc := body(t, get(handler(t, widgets()), "/openapi/v3/apis/example.com/v1"))
	content := at(t, doc, "paths", "/apis/example.com/v1/widgets/{name}", "patch", "requestBody", "content").(map[string]any)
	if content["application/strategic-merge-patch+json"] != nil || content["application/merge-patch+json"] == nil {
		t.Errorf("custom resources take merge patches but no strategic ones: %v", content)
	}
	want := map[string]any{
		"type": "object", "required": []any{"size"}, "x-kubernetes-preserve-unknown-fields": true,
		"properties": map[string]any{"size": map[string]any{"type": "integer", "format": "int64"}},
	}
	if diff := cmp.Diff(want, at(t, doc, "components", "schemas", "com.example.v1.Widget", "properties", "spec")); diff != "" {
		t.Errorf("the structure is not the schema's (-want +got):\n%s", diff)
	}
}

func TestRowsMayBeReplacedWhileClientsRead(t *testing.T) {
	h := handler(t, pods(t))
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 20 {
				if r := get(h, "/openapi/v3"); r.StatusCode != 200 {
					t.Errorf("a reader got %d while rows were replaced", r.StatusCode)
				}
			}
		})
	}
	for i := range 20 {
		h.Replace([]openapi.Resource{pods(t), widgets()}[:1+i%2])
	}
	readers.Wait()
}

func TestOnlyReadingIsAllowed(t *testing.T) {
	w := httptest.NewRecorder()
	handler(t).ServeHTTP(w, httptest.NewRequest("POST", "/openapi/v3", nil))
	if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("a document cannot be posted: want 405, got %d", w.Code)
	}
}

func TestVersion2HoldsEveryGroupInOneDocument(t *testing.T) {
	h := handler(t, pods(t), widgets())
	doc := body(t, get(h, "/openapi/v2"))
	if at(t, doc, "swagger") != "2.0" {
		t.Error("the document says that it is in version 2.0")
	}
	at(t, doc, "definitions", "com.example.v1.Widget")
	spec := at(t, doc, "definitions", "io.k8s.api.core.v1.Pod", "properties", "spec").(map[string]any)
	if spec["$ref"] != "#/definitions/io.k8s.api.core.v1.PodSpec" || spec["description"] == nil {
		t.Errorf("in version 2 a reference stands beside its description, got %v", spec)
	}
	patch := at(t, doc, "paths", "/api/v1/namespaces/{namespace}/pods/{name}", "patch").(map[string]any)
	parameters, _ := json.Marshal(patch["parameters"])
	for _, want := range []string{`"name":"fieldValidation"`, `"in":"body"`} {
		if !strings.Contains(string(parameters), want) {
			t.Errorf("the parameters of a patch have %s, got %s", want, parameters)
		}
	}
}

func TestDocumentsHaveABinaryForm(t *testing.T) {
	h := handler(t, pods(t), widgets())
	for path, version := range map[string]string{"/openapi/v2": "v2", "/openapi/v3/api/v1": "v3"} {
		r := get(h, path, "Accept", "application/com.github.proto-openapi.spec."+version+"@v1.0+protobuf")
		data, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != 200 || r.Header.Get("Content-Type") != "application/com.github.proto-openapi.spec."+version+".v1.0+protobuf" {
			t.Errorf("%s in its binary form: %d %q, %v", path, r.StatusCode, r.Header.Get("Content-Type"), err)
			continue
		}
		read := map[string]func([]byte) (proto.Message, error){
			"v2": func(b []byte) (proto.Message, error) { m := &v2.Document{}; return m, proto.Unmarshal(b, m) },
			"v3": func(b []byte) (proto.Message, error) { m := &v3.Document{}; return m, proto.Unmarshal(b, m) },
		}[version]
		doc, err := read(data)
		if err != nil || proto.Size(doc) < 1000 {
			t.Errorf("%s: the binary form must be readable and hold something: %v, %d bytes", path, err, len(data))
		}
		if got := get(h, path, "Accept", "text/html").StatusCode; got != 406 {
			t.Errorf("%s as HTML: want 406, got %d", path, got)
		}
	}
}
