package filters_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
	"example.com/kube-apiserver/stage5-serve/identity/filters"
	"github.com/google/go-cmp/cmp"
)

var (
	formats = []negotiation.Format{{MediaType: "application/json"}}
	who     = authenticator.Union{
		authenticator.Tokens{
			{Secret: "admintoken", User: request.User{Name: "admin", Groups: []string{"system:masters"}}},
			{Secret: "alicetoken", User: request.User{Name: "alice", Groups: []string{"devs"}}},
		},
		authenticator.Anonymous{},
	}
)

type authorizerFunc func(a authorizer.Attributes) (authorizer.Decision, string, error)

func (f authorizerFunc) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	return f(a)
}

func ofRBAC(t *testing.T) authorizer.Authorizer {
	t.Helper()
	a, err := authorizer.ForModes([]string{"RBAC"}, map[string]authorizer.Authorizer{"RBAC": authorizer.RBAC{Policy: rbac.Builtin()}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// seen is what the handler behind the filters got to see: nil if nothing.
type seen struct {
	user   request.User
	header http.Header
}

// through sends a request through filters, given from the outermost to the
// innermost, and returns the answer and what came through.
func through(req *http.Request, chain ...func(http.Handler) http.Handler) (*httptest.ResponseRecorder, *seen) {
	var got *seen
	var h http.Handler = http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		got = &seen{request.UserFrom(req.Context()), req.Header}
	})
	for i := len(chain) - 1; i >= 0; i-- {
		h = chain[i](h)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w, got
}

// all is the chain in its order.
func all(a authorizer.Authorizer) []func(http.Handler) http.Handler {
	return []func(http.Handler) http.Handler{
		endpoints.WithRequestInfo, filters.WithAuthentication(who, formats), filters.WithImpersonation(a, formats), filters.WithAuthorization(a, formats),
	}
}

func get(path, token string, headers ...string) *http.Request {
	req := httptest.NewRequest("GET", path, nil)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	return req
}

func readStatus(t *testing.T, w *httptest.ResponseRecorder) status.Status {
	t.Helper()
	var s status.Status
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatalf("the answer must be a Status, got %d %q", w.Code, w.Body)
	}
	if s.Kind != "Status" || s.Code != w.Code || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		t.Errorf("a refusal must be a JSON Status with the code of the answer %d, got %+v", w.Code, s)
	}
	return s
}

func TestAuthorizerErrorLetsNobodyIn(t *testing.T) {
	broken := errors.New("the roles cannot be read")
	for _, decision := range []authorizer.Decision{authorizer.NoOpinion, authorizer.Allow, authorizer.Deny, authorizer.Decision(7)} {
		for _, err := range []error{broken, nil} {
			if decision == authorizer.Allow && err == nil {
				continue
			}
			a := authorizerFunc(func(authorizer.Attributes) (authorizer.Decision, string, error) { return decision, "", err })
			for _, token := range []string{"admintoken", "alicetoken", ""} {
				for _, headers := range [][]string{nil, {"Impersonate-User: bob"}} {
					w, got := through(get("/api/v1/pods", token, headers...), all(a)...)
					if got != nil {
						t.Errorf("decision %v with error %v let %q in (headers %v)", decision, err, token, headers)
					}
					if want := map[bool]int{true: 500, false: 403}[err != nil]; w.Code != want {
						t.Errorf("decision %v with error %v: want %d, got %d %s", decision, err, want, w.Code, w.Body)
					}
				}
			}
		}
	}
}

func TestFiltersInAnotherOrderLetNobodyIn(t *testing.T) {
	yes := authorizer.Always{Decision: authorizer.Allow}
	info, authn := endpoints.WithRequestInfo, filters.WithAuthentication(who, formats)
	imp, authz := filters.WithImpersonation(yes, formats), filters.WithAuthorization(yes, formats)
	for name, chain := range map[string][]func(http.Handler) http.Handler{
		"authorization before authentication": {info, authz, authn},
		"impersonation before authentication": {info, imp, authn, authz},
		"no authentication":                   {info, imp, authz},
		"no request info":                     {authn, imp, authz},
	} {
		w, got := through(get("/api/v1/pods", "admintoken", "Impersonate-User: bob"), chain...)
		if got != nil || w.Code != 500 {
			t.Errorf("%s is a mistake in the server and must let nobody in, got %d %s", name, w.Code, w.Body)
		}
	}
}

func TestWhoIsNotRecognisedGets401(t *testing.T) {
	for name, a := range map[string]authenticator.Authenticator{"bad token": who, "nobody asked": authenticator.Union{}} {
		w, got := through(get("/healthz", "wrong"), filters.WithAuthentication(a, formats))
		if got != nil {
			t.Errorf("%s: the request came through", name)
		}
		want := *status.New(401, "Unauthorized", "Unauthorized", nil)
		if diff := cmp.Diff(want, readStatus(t, w)); diff != "" {
			t.Errorf("%s: the answer tells more or less than today's server (-want +got):\n%s", name, diff)
		}
	}
}

func TestCredentialsGoNoFurther(t *testing.T) {
	_, got := through(get("/healthz", "alicetoken", "X-Other: stays", "X-Remote-User: admin", "X-Remote-Group: system:masters", "X-Remote-Extra-Scope: all"), filters.WithAuthentication(who, formats))
	if got == nil || got.user.Name != "alice" {
		t.Fatalf("alice must come through as alice, got %+v", got)
	}
	if len(got.header) != 1 || got.header.Get("X-Other") != "stays" {
		t.Errorf("behind the filter the token and what only a proxy in front may say must be gone, and nothing else, got %v", got.header)
	}
}

func TestRefusalsAreInTodaysWords(t *testing.T) {
	for _, c := range []struct{ method, path, token, message, details string }{
		{"GET", "/api/v1/namespaces/ns/pods", "alicetoken", `pods is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "ns"`, `{"kind":"pods"}`},
		{"GET", "/api/v1/namespaces/ns/pods/p", "alicetoken", `pods "p" is forbidden: User "alice" cannot get resource "pods" in API group "" in the namespace "ns"`, `{"name":"p","kind":"pods"}`},
		{"DELETE", "/api/v1/namespaces/ns/pods", "alicetoken", `pods is forbidden: User "alice" cannot deletecollection resource "pods" in API group "" in the namespace "ns"`, `{"kind":"pods"}`},
		{"GET", "/api/v1/pods?watch=true", "alicetoken", `pods is forbidden: User "alice" cannot watch resource "pods" in API group "" at the cluster scope`, `{"kind":"pods"}`},
		{"POST", "/api/v1/namespaces/ns/pods/p/exec", "alicetoken", `pods "p" is forbidden: User "alice" cannot create resource "pods/exec" in API group "" in the namespace "ns"`, `{"name":"p","kind":"pods"}`},
		{"GET", "/api/v1/nodes/n1", "alicetoken", `nodes "n1" is forbidden: User "alice" cannot get resource "nodes" in API group "" at the cluster scope`, `{"name":"n1","kind":"nodes"}`},
		{"POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "", `selfsubjectreviews.authentication.k8s.io is forbidden: User "system:anonymous" cannot create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope`, `{"group":"authentication.k8s.io","kind":"selfsubjectreviews"}`},
		{"GET", "/api", "", `forbidden: User "system:anonymous" cannot get path "/api"`, `{}`},
		{"POST", "/metrics", "alicetoken", `forbidden: User "alice" cannot post path "/metrics"`, `{}`},
	} {
		req := get(c.path, c.token)
		req.Method = c.method
		w, got := through(req, all(ofRBAC(t))...)
		s := readStatus(t, w)
		details, err := json.Marshal(s.Details)
		if err != nil {
			t.Fatal(err)
		}
		if got != nil || s.Code != 403 || s.Reason != "Forbidden" || s.Message != c.message || string(details) != c.details {
			t.Errorf("%s %s:\nwant %s %s\ngot  %d %s %s", c.method, c.path, c.message, c.details, s.Code, s.Message, details)
		}
	}
}

func TestTheReasonOfARefusalIsTold(t *testing.T) {
	a := authorizer.Always{Reason: "Everything is forbidden."}
	for path, want := range map[string]string{
		"/api/v1/pods": `pods is forbidden: User "alice" cannot list resource "pods" in API group "" at the cluster scope: Everything is forbidden.`,
		"/api":         `forbidden: User "alice" cannot get path "/api": Everything is forbidden.`,
	} {
		w, _ := through(get(path, "alicetoken"), all(a)...)
		if s := readStatus(t, w); s.Message != want {
			t.Errorf("want %s\ngot  %s", want, s.Message)
		}
	}
}

func TestAListLimitedToOneObjectIsAboutThatObject(t *testing.T) {
	for query, want := range map[string]string{
		"":                                    "",
		"?fieldSelector=metadata.name=mine":   "mine",
		"?fieldSelector=metadata.name%3Dmine": "mine",
		"?fieldSelector=spec.nodeName=n,metadata.name==mine&watch=1": "mine",
		"?fieldSelector=metadata.name!=mine":                         "",
		"?fieldSelector=metadata.namespace=mine":                     "",
		`?fieldSelector=spec.nodeName!=n\,metadata.name=mine`:        "",
		"?fieldSelector=metadata.name=..":                            "",
		"?fieldSelector=metadata.name=a/b":                           "",
		"?fieldSelector=%3D%3D%3D":                                   "",
		"?labelSelector=metadata.name=mine":                          "",
	} {
		asked := "-"
		a := authorizerFunc(func(a authorizer.Attributes) (authorizer.Decision, string, error) {
			asked = a.Name
			return authorizer.Allow, "", nil
		})
		if _, got := through(get("/api/v1/configmaps"+query, "alicetoken"), all(a)...); got == nil || asked != want {
			t.Errorf("%q: the authorizer must be asked about %q, was asked about %q", query, want, asked)
		}
	}
}

func TestOverTLSACertificateOpensWhatNobodyElseMay(t *testing.T) {
	authority, err := pki.NewAuthority("ours")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Issue(pki.Request{CommonName: "kubernetes-admin", Organization: []string{"system:masters"}})
	if err != nil {
		t.Fatal(err)
	}
	admin, err := pair.TLS()
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority.CertPEM)
	certificates := authenticator.Union{authenticator.Certificates{Authorities: pool}, authenticator.Anonymous{}}
	var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		fmt.Fprint(w, request.UserFrom(req.Context()).Name)
	})
	h = endpoints.WithRequestInfo(filters.WithAuthentication(certificates, formats)(filters.WithAuthorization(ofRBAC(t), formats)(h)))
	for _, c := range []struct {
		client []tls.Certificate
		code   int
	}{{[]tls.Certificate{admin}, 200}, {nil, 403}} {
		srv := httptest.NewUnstartedServer(h)
		srv.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
		srv.StartTLS()
		client := srv.Client()
		client.Transport.(*http.Transport).TLSClientConfig.Certificates = c.client
		resp, err := client.Get(srv.URL + "/api/v1/secrets")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		srv.Close()
		if resp.StatusCode != c.code {
			t.Errorf("with %d client certificates: want %d, got %s", len(c.client), c.code, resp.Status)
		}
	}
}

func TestAUserIsAskedForASecondVerbOnlyIfItIsAnother(t *testing.T) {
	doubt := errors.New("doubt")
	for _, c := range []struct {
		what, user, verb string
		says             authorizer.Decision
		fails            error
		want             string
	}{
		{"the verb of the request", "alice", "create", authorizer.Deny, nil, ""},
		{"another verb that he may", "alice", "get", authorizer.Allow, nil, ""},
		{"another verb that he may not", "alice", "get", authorizer.NoOpinion, nil, `pods "p" is forbidden: so`},
		{"an authorizer in doubt", "alice", "get", authorizer.Allow, doubt, "doubt"},
		{"the port without users", request.Unsecured.Name, "get", authorizer.Deny, nil, ""},
	} {
		may := filters.MayAlso(authorizerFunc(func(a authorizer.Attributes) (authorizer.Decision, string, error) {
			if a.Verb != "create" || a.Subresource != "exec" {
				t.Errorf("%s: the authorizer is asked about %+v", c.what, a.Info)
			}
			return c.says, "so", c.fails
		}))
		ctx := request.WithUser(t.Context(), request.User{Name: c.user})
		ctx = request.WithInfo(ctx, request.Info{IsResource: true, Verb: c.verb, Resource: "pods", Subresource: "exec", Name: "p"})
		got := ""
		if err := may(ctx, "create"); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: the answer is %q; want %q", c.what, got, c.want)
		}
	}
}
