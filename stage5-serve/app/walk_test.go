package app_test

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
	"example.com/kube-apiserver/stage5-serve/identity/serviceaccount"
	"example.com/kube-apiserver/stage5-serve/testserver"
)

// route is one thing that can be asked of a server.
type route struct{ method, path string }

// routes are all that a server says it has: every path of its index and every
// verb of every resource in discovery. A new one cannot be forgotten here.
func routes(t *testing.T, s *testserver.Server) []route {
	t.Helper()
	var list []route
	get := func(path string, into any) {
		t.Helper()
		resp, err := s.Client.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			t.Fatalf("GET %s: %v", path, err)
		}
	}
	var index struct{ Paths []string }
	get("/", &index)
	for _, p := range append(index.Paths, "/nosuch") {
		list = append(list, route{"GET", p})
	}
	var groups struct {
		Groups []struct {
			Versions []struct{ GroupVersion string }
		}
	}
	get("/apis", &groups)
	roots := []string{"/api/v1"}
	for _, g := range groups.Groups {
		roots = append(roots, "/apis/"+g.Versions[0].GroupVersion)
	}
	for _, root := range roots {
		var resources struct {
			Resources []struct {
				Name       string
				Namespaced bool
				Verbs      []string
			}
		}
		get(root, &resources)
		for _, r := range resources.Resources {
			for _, verb := range r.Verbs {
				list = append(list, at(root, r.Name, r.Namespaced, verb))
			}
		}
	}
	return list
}

func at(root, name string, namespaced bool, verb string) route {
	method := map[string]string{"create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE", "deletecollection": "DELETE"}[verb]
	if method == "" {
		method = "GET"
	}
	resource, sub, _ := strings.Cut(name, "/")
	path := root + "/" + resource
	if namespaced {
		path = root + "/namespaces/default/" + resource
	}
	if sub != "" {
		return route{method, path + "/some/" + sub}
	}
	if slices.Contains([]string{"get", "update", "patch", "delete"}, verb) {
		path += "/some"
	}
	if verb == "watch" {
		path += "?watch=true"
	}
	return route{method, path}
}

// What nobody in particular may read, and what every user may.
func public(r route) bool {
	return r.method == "GET" && slices.Contains([]string{"/healthz", "/livez", "/readyz", "/version", "/version/"}, r.path)
}

func forUsers(r route) bool {
	if r.method == "POST" {
		return strings.Contains(r.path, "/selfsubject")
	}
	prefixes := func(of ...string) bool {
		return slices.ContainsFunc(of, func(p string) bool { return r.path == p || strings.HasPrefix(r.path, p+"/") })
	}
	return public(r) || r.path == "/api" || r.path == "/apis" || prefixes("/openapi") || discovery(r.path)
}

// discovery: /api/, /api/v1, /apis/GROUP/ and the like, which are no resources.
func discovery(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return parts[0] == "api" && len(parts) < 3 || parts[0] == "apis" && len(parts) < 4
}

func TestNobodyGetsInByAnyRouteWithoutTheRight(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := testserver.Start(t, testserver.Options{Folder: folder, Users: []testserver.User{{Token: "alicetoken", Name: "alice", Groups: []string{"devs"}}}})
	all := routes(t, s)
	if len(all) < 150 {
		t.Fatalf("there are more than %d routes: the walk has lost its way", len(all))
	}
	for _, visitor := range []struct {
		who     string
		client  *http.Client
		refused int
		allowed func(route) bool
	}{
		{"nobody in particular", s.As(""), 403, public},
		{"a wrong token", s.As("wrong"), 401, nil},
		{"an expired token", s.As(expired(t, folder)), 401, nil},
		{"a certificate of another authority", withCertificate(t, s), 401, nil},
		{"a user without rights", s.As("alicetoken"), 403, forUsers},
	} {
		keep(visitor.client)
		for _, r := range all {
			want := visitor.refused
			code := answer(t, visitor.client, r.method, s.URL+r.path)
			if visitor.allowed != nil && visitor.allowed(r) {
				if code == 401 || code == 403 {
					t.Errorf("%s may %s %s, got %d", visitor.who, r.method, r.path, code)
				}
				continue
			}
			if code != want {
				t.Errorf("%s: %s %s was answered with %d, want %d", visitor.who, r.method, r.path, code, want)
			}
		}
		visitor.client.CloseIdleConnections()
	}
}

// keep lets a client keep its connections, as the walk is long.
func keep(c *http.Client) {
	if t, ok := c.Transport.(interface{ Unwrap() *http.Transport }); ok {
		t.Unwrap().DisableKeepAlives = false
	}
}

func answer(t *testing.T, c *http.Client, method, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 { // a stream that was let through would have no end
		io.Copy(io.Discard, resp.Body)
	}
	return resp.StatusCode
}

// expired is a token that this server has signed, and whose time is over.
func expired(t *testing.T, folder string) string {
	t.Helper()
	keys, err := serviceaccount.LoadKeys(filepath.Join(folder, "certs"), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	issuer := "https://kubernetes.default.svc"
	tokens := serviceaccount.Tokens{Keys: keys, Issuers: []string{issuer}}
	account := &object.Object{Meta: object.Meta{Namespace: "default", Name: "default", UID: "u"}}
	token, err := tokens.Issue(account, []string{issuer}, serviceaccount.Bound{}, time.Now().Add(-2*time.Hour), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// withCertificate shows a certificate that makes its holder an administrator,
// where somebody believes who signed it.
func withCertificate(t *testing.T, s *testserver.Server) *http.Client {
	t.Helper()
	stranger, err := pki.NewAuthority("kube-apiserver-ca") // only its name is right
	if err != nil {
		t.Fatal(err)
	}
	pair, err := stranger.Issue(pki.Request{CommonName: "kubernetes-admin", Organization: []string{"system:masters"}})
	if err != nil {
		t.Fatal(err)
	}
	cert, err := pair.TLS()
	if err != nil {
		t.Fatal(err)
	}
	c := s.As("")
	transport := c.Transport.(interface{ Unwrap() *http.Transport }).Unwrap()
	// Whatever the server says of the authorities that it knows, this one is shown.
	transport.TLSClientConfig.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &cert, nil }
	return c
}
