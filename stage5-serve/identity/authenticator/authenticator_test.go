package authenticator_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"github.com/google/go-cmp/cmp"
)

func get(authorization string) *http.Request {
	req := httptest.NewRequest("GET", "/api", nil)
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	return req
}

// fake answers the same to everybody.
type fake struct {
	user request.User
	ok   bool
	err  error
}

func (f fake) Authenticate(*http.Request) (request.User, bool, error) { return f.user, f.ok, f.err }

var tokens = authenticator.Tokens{
	{Secret: "admintoken", User: request.User{Name: "admin", UID: "1", Groups: []string{"system:masters"}}},
	{Secret: "alicetoken", User: request.User{Name: "alice", UID: "2", Groups: []string{"devs"}}},
}

func TestWhoIsWho(t *testing.T) {
	all := authenticator.Union{authenticator.Certificates{Authorities: x509.NewCertPool()}, authenticator.Loopback("own"), tokens, authenticator.Anonymous{}}
	nobody := request.User{Name: "system:anonymous", Groups: []string{"system:unauthenticated"}}
	alice := request.User{Name: "alice", UID: "2", Groups: []string{"devs", "system:authenticated"}}
	for header, want := range map[string]request.User{
		"":                   nobody,
		"Bearer alicetoken":  alice,
		"bearer alicetoken":  alice,
		"Bearer admintoken":  {Name: "admin", UID: "1", Groups: []string{"system:masters", "system:authenticated"}},
		"Bearer own":         {Name: "system:apiserver", Groups: []string{"system:masters", "system:authenticated"}},
		"Basic YWxpY2U6cHc=": nobody, // nothing here understands it, as upstream
		"Bearer":             nobody,
	} {
		user, ok, err := all.Authenticate(get(header))
		if !ok || err != nil {
			t.Errorf("Authorization %q must be let in, got ok %v, error %v", header, ok, err)
		}
		if diff := cmp.Diff(want, user); diff != "" {
			t.Errorf("Authorization %q is taken for somebody else (-want +got):\n%s", header, diff)
		}
	}
}

func TestRecognisingSomebodyChangesNothingThatIsKnownOfHim(t *testing.T) {
	groups := []string{"devs", "ops"}
	known := authenticator.Union{fake{user: request.User{Name: "alice", Groups: groups[:1]}, ok: true}}
	if user, _, _ := known.Authenticate(get("")); !cmp.Equal(user.Groups, []string{"devs", "system:authenticated"}) {
		t.Errorf("alice is one of the devs and was recognised, got %v", user.Groups)
	}
	if groups[1] != "ops" {
		t.Errorf("the group was added in the array of somebody else, who is now in %v", groups)
	}
}

func TestABadTokenIsNotAnonymous(t *testing.T) {
	all := authenticator.Union{authenticator.Loopback("own"), tokens, authenticator.Anonymous{}}
	for _, header := range []string{"Bearer wrong", "Bearer alicetokenx", "Bearer alicetoke", "Bearer ALICETOKEN"} {
		if user, ok, err := all.Authenticate(get(header)); ok || err == nil {
			t.Errorf("%q must be an error, but it was let in as %q", header, user.Name)
		}
	}
}

func TestAnEmptyListOfTokensKnowsNobody(t *testing.T) {
	for _, header := range []string{"Bearer x", "Bearer ", "Bearer"} {
		if user, ok, _ := (authenticator.Tokens{}).Authenticate(get(header)); ok {
			t.Errorf("%q was recognised as %q by an empty list", header, user.Name)
		}
	}
}

func TestTheFirstWhoKnowsTheUserDecides(t *testing.T) {
	bad := errors.New("a certificate of somebody else's authority")
	bob := fake{user: request.User{Name: "bob"}, ok: true}
	user, ok, err := authenticator.Union{fake{err: bad}, fake{}, bob, fake{user: request.User{Name: "eve"}, ok: true}}.Authenticate(get(""))
	if !ok || err != nil || user.Name != "bob" {
		t.Errorf("bob shows a good token beside a bad certificate and must get in: %q, ok %v, error %v", user.Name, ok, err)
	}
	_, ok, err = authenticator.Union{fake{err: bad}, fake{}, authenticator.Anonymous{}}.Authenticate(get(""))
	if ok || !errors.Is(err, bad) {
		t.Errorf("who shows only a bad certificate must not get in as nobody: ok %v, error %v", ok, err)
	}
	_, ok, _ = authenticator.Union{fake{user: request.User{Name: "eve"}, ok: true, err: bad}}.Authenticate(get(""))
	if ok {
		t.Error("a user together with an error is a doubt, and doubt means no")
	}
}

// overTLS sends one request with a client certificate to a server that asks
// for one and does not verify it, and returns what the authenticator says.
func overTLS(t *testing.T, a authenticator.Authenticator, client *pki.Pair) (user request.User, ok bool, err error) {
	t.Helper()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		user, ok, err = a.Authenticate(req)
	}))
	srv.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	srv.StartTLS()
	defer srv.Close()
	c := srv.Client()
	if client != nil {
		cert, err := client.TLS()
		if err != nil {
			t.Fatal(err)
		}
		// Whatever the server would like: the point is what it does with a bad one.
		c.Transport.(*http.Transport).TLSClientConfig.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &cert, nil }
	}
	resp, getErr := c.Get(srv.URL)
	if getErr != nil {
		t.Fatal(getErr)
	}
	resp.Body.Close()
	return user, ok, err
}

func TestOnlyCertificatesOfOurAuthorityAreBelieved(t *testing.T) {
	ours, err := pki.NewAuthority("ours")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := pki.NewAuthority("ours") // the same name is not enough
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ours.CertPEM)
	admin := pki.Request{CommonName: "kubernetes-admin", Organization: []string{"ops", "system:masters"}}
	for _, c := range []struct {
		claim string
		by    *pki.Authority
		cert  pki.Request
		user  string
		bad   bool
	}{
		{"our administrator is recognised", ours, admin, "kubernetes-admin", false},
		{"somebody else's administrator is nobody here", theirs, admin, "", true},
		{"a server's certificate is no user's", ours, pki.Request{CommonName: "node", Names: []string{"localhost"}}, "", true},
		{"a certificate without a name says nothing", ours, pki.Request{Organization: []string{"system:masters"}}, "", false},
	} {
		pair, err := c.by.Issue(c.cert)
		if err != nil {
			t.Fatal(err)
		}
		user, ok, err := overTLS(t, authenticator.Certificates{Authorities: pool}, &pair)
		if user.Name != c.user || ok != (c.user != "") || (err != nil) != c.bad {
			t.Errorf("%s: got user %q, ok %v, error %v", c.claim, user.Name, ok, err)
		}
		if ok && (!cmp.Equal(user.Groups, admin.Organization) || !strings.HasPrefix(user.Extra["authentication.kubernetes.io/credential-id"][0], "X509SHA256=")) {
			t.Errorf("%s: the organisations are the groups, and the certificate is noted, got %+v", c.claim, user)
		}
	}
	if _, ok, err := overTLS(t, authenticator.Certificates{Authorities: pool}, nil); ok || err != nil {
		t.Errorf("no certificate is no error, others may know the user: ok %v, error %v", ok, err)
	}
}

func TestWithoutAuthoritiesNoCertificateIsBelieved(t *testing.T) {
	a, err := pki.NewAuthority("any")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := a.Issue(pki.Request{CommonName: "eve"})
	if err != nil {
		t.Fatal(err)
	}
	// Not even if all of this machine trusts the authority.
	file := filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(file, a.CertPEM, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", file)
	if _, ok, err := overTLS(t, authenticator.Certificates{}, &pair); ok || err == nil {
		t.Errorf("nobody's authority means nobody's certificate: ok %v, error %v", ok, err)
	}
}

func TestACertificateIsVerifiedWithEveryRequest(t *testing.T) {
	a, err := pki.NewAuthority("ours")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := a.Issue(pki.Request{CommonName: "bob"})
	if err != nil {
		t.Fatal(err)
	}
	cert, err := pair.TLS()
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(a.CertPEM)
	leaf := *cert.Leaf
	req := get("")
	req.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{&leaf}}
	who := authenticator.Certificates{Authorities: pool}
	if _, ok, err := who.Authenticate(req); !ok {
		t.Fatalf("a certificate that is still good must be believed: %v", err)
	}
	leaf.NotAfter = time.Now().Add(-time.Minute) // the same connection, a year later
	if _, ok, err := who.Authenticate(req); ok || err == nil {
		t.Error("a certificate that has expired since the connection was opened must be refused")
	}
}

func TestAProxyInFrontSaysWhoItIs(t *testing.T) {
	proxies, err := pki.NewAuthority("proxies")
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(proxies.CertPEM)
	who := authenticator.RequestHeader{Authorities: pool, AllowedNames: []string{"front"}, Users: []string{"X-Remote-User"}, Groups: []string{"X-Remote-Group"}, ExtraBeginnings: []string{"X-Remote-Extra-"}}
	request := func(name string, from *pki.Authority) *http.Request {
		t.Helper()
		req := httptest.NewRequest("GET", "/", nil)
		for k, v := range map[string]string{"X-Remote-User": "bob", "X-Remote-Group": "devs", "X-Remote-Extra-Example.com%2fscope": "one", "X-Other": "stays"} {
			req.Header.Add(k, v)
		}
		req.Header.Add("X-Remote-Group", "ops")
		if name != "" {
			pair, err := from.Issue(pki.Request{CommonName: name})
			if err != nil {
				t.Fatal(err)
			}
			cert, err := pair.TLS()
			if err != nil {
				t.Fatal(err)
			}
			req.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{cert.Leaf}}
		}
		return req
	}
	req := request("front", proxies)
	user, ok, err := who.Authenticate(req)
	if !ok || err != nil || user.Name != "bob" || !slices.Equal(user.Groups, []string{"devs", "ops"}) || !slices.Equal(user.Extra["example.com/scope"], []string{"one"}) {
		t.Errorf("the proxy's word counts, got %+v, %v, %v", user, ok, err)
	}
	if len(req.Header) != 1 || req.Header.Get("X-Other") != "stays" {
		t.Errorf("nobody behind may believe the headers again, they are %v", req.Header)
	}
	stranger, err := pki.NewAuthority("proxies")
	if err != nil {
		t.Fatal(err)
	}
	for what, req := range map[string]*http.Request{
		"no certificate":                      request("", nil),
		"a certificate of another authority":  request("front", stranger),
		"a name that is not allowed to speak": request("other", proxies),
	} {
		if user, ok, _ := who.Authenticate(req); ok {
			t.Errorf("with %s the headers count nothing, got %+v", what, user)
		}
		if len(req.Header) != 1 {
			t.Errorf("with %s nobody behind may see the headers, they are %v", what, req.Header)
		}
	}
}
