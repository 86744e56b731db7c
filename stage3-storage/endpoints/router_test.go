package endpoints_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
)

// pipes is a storage that can do nothing but take over connections.
type pipes struct{ catalog.Resource }

func (p pipes) Kind() (apiVersion, kind string)   { return p.Resource.APIVersion(), "Pipe" }
func (p pipes) ConnectMethods() []string          { return []string{http.MethodGet, http.MethodHead} }
func (p pipes) IncludePath() bool                 { return true }
func (p rows) Kind() (apiVersion, kind string)    { return p.resource.APIVersion(), p.resource.Kind }
func (p rows) Resource() catalog.Resource         { return p.resource }
func (p connection) Resource() catalog.Resource   { return p.pipes.Resource }
func (p connection) Kind() (apiVersion, k string) { return p.pipes.Kind() }

// connection answers with what it was asked.
type connection struct{ pipes }

func (connection) Connect(_ context.Context, key rest.Key, opts connect.Options) (connect.Connection, error) {
	return func(w http.ResponseWriter, _ *http.Request) error {
		_, err := w.Write([]byte(key.Namespace + " " + key.Name + " " + opts.Path + " " + opts.Query.Get("q")))
		return err
	}, nil
}

// rows is a storage with which objects can be read.
type rows struct{ resource catalog.Resource }

func (p rows) Get(context.Context, rest.Key, rest.GetOptions) (*object.Encoded, error) {
	return object.FromWire([]byte(`{"kind":"Boat","apiVersion":"sea/v1","metadata":{"name":"ark"}}`))
}

var (
	json   = &negotiation.Tables{Formats: tables.Formats[:1]}
	config = &endpoints.Config{Verbs: slices.Concat(endpoints.Verbs, connect.Verbs), Decoder: requests.Decoder{Tables: json}, Encoder: negotiation.Encoder{Tables: json}}
	boats  = catalog.Resource{Group: "sea", Version: "v1", Name: "boats", Kind: "Boat", Namespaced: true}
)

// install puts boats and their pipes under /apis/sea/v1.
func install(t *testing.T, r *endpoints.Router) []endpoints.APIResource {
	t.Helper()
	group := endpoints.APIGroupVersion{Root: "/apis/sea/v1", Config: config, Storage: map[string]rest.Storage{
		"boats": rows{boats}, "boats/pipe": connection{pipes{boats}},
	}}
	installed, err := group.InstallREST(r)
	if err != nil {
		t.Fatal(err)
	}
	return installed
}

// ask sends a request through the router and the filter before it.
func ask(r *endpoints.Router, method, path string) *httptest.ResponseRecorder {
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "next", http.StatusTeapot) })
	w := httptest.NewRecorder()
	endpoints.WithRequestInfo(r.Mount(next)).ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

func TestAPathLeadsToItsStorage(t *testing.T) {
	r := endpoints.NewRouter(config)
	install(t, r)
	const ark = "/apis/sea/v1/namespaces/port/boats/ark"
	for _, c := range []struct {
		method, path string
		code         int
		body         string
	}{
		{"GET", ark, 200, `"name":"ark"`},
		{"GET", ark + "/", 200, `"name":"ark"`},
		{"PUT", ark, 405, "MethodNotAllowed"},
		{"DELETE", ark + "/", 405, "MethodNotAllowed"},
		{"HEAD", ark, 405, ""},
		{"GET", ark + "/nosuch", 418, "next"},
		{"GET", "/apis/sea/v1", 418, "next"},
		{"GET", "/apis/sea/v2/namespaces/port/boats/ark", 418, "next"},
		{"GET", "/apis/sea/v1/namespaces/port/boats/..", 400, `Name parameter invalid: \"..\"`},
		{"GET", "/apis/sea/v1/namespaces/port/boats/a%25b", 400, "may not contain"},
		{"GET", ark + "/pipe?q=1", 200, "port ark  1"},
		{"GET", ark + "/pipe/", 200, "port ark / "},
		{"GET", ark + "/pipe/a/b/?q=1", 200, "port ark /a/b/ 1"},
		{"HEAD", ark + "/pipe/a", 200, ""},
		{"POST", ark + "/pipe/a", 405, "MethodNotAllowed"},
	} {
		w := ask(r, c.method, c.path)
		if w.Code != c.code || !strings.Contains(w.Body.String(), c.body) {
			t.Errorf("%s %s is answered with %d %s; want %d and %q in it", c.method, c.path, w.Code, w.Body, c.code, c.body)
		}
		if allow := w.Header().Get("Allow"); allow != "" {
			t.Errorf("%s %s is answered with Allow: %s, which the real server does not send", c.method, c.path, allow)
		}
	}
}

func TestAGroupComesAndGoesWhileTheRouterServes(t *testing.T) {
	r := endpoints.NewRouter(config)
	const ark = "/apis/sea/v1/namespaces/port/boats/ark"
	for round := range 2 {
		if code := ask(r, "GET", ark).Code; code != 418 {
			t.Fatalf("round %d: before its group is installed, the path is answered with %d", round, code)
		}
		install(t, r)
		if code := ask(r, "GET", ark).Code; code != 200 {
			t.Fatalf("round %d: once its group is installed, the path is answered with %d", round, code)
		}
		if n := r.Routes(); n != 1+2*2 {
			t.Errorf("round %d: %d routes; want one for get, and two methods at the pipe and below it", round, n)
		}
		r.Remove("/apis/sea/v1")
	}
}

func TestDiscoveryDoesNotNameMethodsThatAreNoVerbs(t *testing.T) {
	for _, api := range install(t, endpoints.NewRouter(config)) {
		if got := strings.Join(api.Verbs, " "); got != "get" {
			t.Errorf("%s/%s has the verbs %q; want get alone", api.Name, api.Subresource, got)
		}
	}
}
