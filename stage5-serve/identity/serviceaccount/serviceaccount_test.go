package serviceaccount_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"example.com/kube-apiserver/stage5-serve/identity/serviceaccount"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const issuer = "https://kubernetes.default.svc"

var robot = &object.Object{Meta: object.Meta{Namespace: "ns", Name: "robot", UID: "u-1"}}

// server is one with a key of its own in a folder, and with objects.
func server(t *testing.T, folder, signingFile string, objects map[string]*object.Object) *serviceaccount.Tokens {
	t.Helper()
	keys, err := serviceaccount.LoadKeys(folder, signingFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &serviceaccount.Tokens{Keys: keys, Issuers: []string{issuer}, Audiences: []string{issuer}, Lookup: func(_ context.Context, resource, namespace, name string) (*object.Object, error) {
		if o := objects[resource+"/"+namespace+"/"+name]; o != nil {
			return o, nil
		}
		return nil, errors.New("not found")
	}}
}

func issue(t *testing.T, s *serviceaccount.Tokens, bound serviceaccount.Bound, now time.Time, audiences ...string) string {
	t.Helper()
	token, err := s.Issue(robot, audiences, bound, now, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func show(s *serviceaccount.Tokens, token string) (request.User, bool, error) {
	req := httptest.NewRequest("GET", "/", nil)
	req.Header.Set("Authorization", "Bearer "+token)
	return s.Authenticate(req)
}

func TestATokenIsRecognisedByWhoIssuedItAlsoAfterARestart(t *testing.T) {
	folder := t.TempDir()
	objects := map[string]*object.Object{"serviceaccounts/ns/robot": robot}
	token := issue(t, server(t, folder, "", objects), serviceaccount.Bound{}, time.Now(), issuer)
	user, ok, err := show(server(t, folder, "", objects), token)
	if !ok || err != nil {
		t.Fatalf("a good token must be recognised, got %v, %v", ok, err)
	}
	want := request.User{Name: "system:serviceaccount:ns:robot", UID: "u-1", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:ns"}}
	if diff := cmp.Diff(want, user, cmpopts.IgnoreFields(request.User{}, "Extra")); diff != "" {
		t.Errorf("the user is not the service account (-want +got):\n%s", diff)
	}
	if id := user.Extra["authentication.kubernetes.io/credential-id"]; len(id) != 1 || !strings.HasPrefix(id[0], "JTI=") {
		t.Errorf("the user's extra must name the token, got %v", user.Extra)
	}
	if info, err := os.Stat(filepath.Join(folder, "sa.key")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key that signs must be readable by its owner only, got %v, %v", info, err)
	}
	if _, ok, err := show(server(t, t.TempDir(), "", objects), token); ok || err == nil {
		t.Errorf("a server with another key must refuse it, got %v, %v", ok, err)
	}
}

func TestRSAKeysWork(t *testing.T) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rsa.key")
	data := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(private)})
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s := server(t, t.TempDir(), file, map[string]*object.Object{"serviceaccounts/ns/robot": robot})
	token := issue(t, s, serviceaccount.Bound{}, time.Now(), issuer)
	if _, ok, err := show(s, token); !ok || err != nil {
		t.Errorf("a token that is signed with RSA must be recognised, got %v, %v", ok, err)
	}
	if header := strings.Split(token, ".")[0]; !strings.Contains(decode(t, header), `"alg":"RS256"`) {
		t.Errorf("it must be signed with RS256, its header is %s", decode(t, header))
	}
}

func decode(t *testing.T, part string) string {
	t.Helper()
	data, err := jwt.NewParser().DecodeSegment(part)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestBadTokensAreRefusedAndForeignOnesLeftToOthers(t *testing.T) {
	s := server(t, t.TempDir(), "", map[string]*object.Object{"serviceaccounts/ns/robot": robot})
	good := issue(t, s, serviceaccount.Bound{}, time.Now(), issuer)
	parts := strings.Split(good, ".")
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{"iss": "https://elsewhere"}).SignedString(stranger)
	if err != nil {
		t.Fatal(err)
	}
	forged, err := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{"iss": issuer, "sub": "system:serviceaccount:kube-system:admin", "exp": time.Now().Add(time.Hour).Unix()}).SignedString(stranger)
	if err != nil {
		t.Fatal(err)
	}
	none, err := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{"iss": issuer, "exp": time.Now().Add(time.Hour).Unix()}).SignedString(jwt.UnsafeAllowNoneSignatureType)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		token   string
		refused bool // else: not ours
	}{
		"no JWT":                    {"abc", false},
		"another issuer's":          {foreign, false},
		"signed by a stranger":      {forged, true},
		"not signed at all":         {none, true},
		"a signature that is cut":   {parts[0] + "." + parts[1] + "." + parts[2][:10], true},
		"expired":                   {issue(t, s, serviceaccount.Bound{}, time.Now().Add(-2*time.Hour), issuer), true},
		"not valid yet":             {issue(t, s, serviceaccount.Bound{}, time.Now().Add(10*time.Minute), issuer), true},
		"meant for somebody else":   {issue(t, s, serviceaccount.Bound{}, time.Now(), "vault"), true},
		"bound to a pod that went":  {issue(t, s, serviceaccount.Bound{Pod: &serviceaccount.Ref{Name: "p", UID: "u-2"}}, time.Now(), issuer), true},
		"bound to a node that went": {issue(t, s, serviceaccount.Bound{Node: &serviceaccount.Ref{Name: "n", UID: "u-3"}}, time.Now(), issuer), true},
	} {
		if _, ok, err := show(s, c.token); ok || (err != nil) != c.refused {
			t.Errorf("%s: want it refused %v, got %v, %v", name, c.refused, ok, err)
		}
	}
}

func TestATokenDiesWithItsAccountAndItsPod(t *testing.T) {
	pod := &object.Object{Meta: object.Meta{Namespace: "ns", Name: "p", UID: "u-2"}}
	objects := map[string]*object.Object{"serviceaccounts/ns/robot": robot, "pods/ns/p": pod}
	s := server(t, t.TempDir(), "", objects)
	bound := serviceaccount.Bound{Pod: &serviceaccount.Ref{Name: "p", UID: "u-2"}, Node: &serviceaccount.Ref{Name: "n1"}}
	token := issue(t, s, bound, time.Now(), issuer)
	user, ok, err := show(s, token)
	if !ok || err != nil {
		t.Fatalf("while all is there the token is good, got %v, %v", ok, err)
	}
	for key, want := range map[string]string{"pod-name": "p", "pod-uid": "u-2", "node-name": "n1"} {
		if got := user.Extra["authentication.kubernetes.io/"+key]; len(got) != 1 || got[0] != want {
			t.Errorf("extra %s: got %v, want %s", key, got, want)
		}
	}
	objects["pods/ns/p"] = &object.Object{Meta: object.Meta{Namespace: "ns", Name: "p", UID: "another"}}
	if _, ok, err := show(s, token); ok || err == nil {
		t.Error("another pod of that name does not keep the token alive")
	}
	objects["pods/ns/p"] = pod
	delete(objects, "serviceaccounts/ns/robot")
	if _, ok, err := show(s, token); ok || err == nil {
		t.Error("the token must die with its service account")
	}
	s.NoLookup = true
	if _, ok, err := show(s, token); !ok || err != nil {
		t.Errorf("without the lookup it lives to its end, got %v, %v", ok, err)
	}
}

func TestAudiencesAreThoseThatAreAskedFor(t *testing.T) {
	s := server(t, t.TempDir(), "", map[string]*object.Object{"serviceaccounts/ns/robot": robot})
	token := issue(t, s, serviceaccount.Bound{}, time.Now(), "vault", "other")
	ctx, found := authenticator.WithAudiences(t.Context(), []string{"vault", "third"}, []string{issuer})
	req := httptest.NewRequest("GET", "/", nil).WithContext(ctx)
	req.Header.Set("Authorization", "Bearer "+token)
	if _, ok, err := s.Authenticate(req); !ok || err != nil {
		t.Fatalf("asked for its own audience the token is good, got %v, %v", ok, err)
	}
	if diff := cmp.Diff([]string{"vault"}, found()); diff != "" {
		t.Errorf("it is good for what was asked and what it names (-want +got):\n%s", diff)
	}
}

func TestOthersCanVerifyByTheDocuments(t *testing.T) {
	s := server(t, t.TempDir(), "", nil)
	mux := http.NewServeMux()
	if err := s.Install(mux.Handle, "10.0.0.1:6443"); err != nil {
		t.Fatal(err)
	}
	get := func(path string, into any) {
		t.Helper()
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("GET %s: %v\n%s", path, err, w.Body)
		}
	}
	var config struct {
		Issuer string `json:"issuer"`
		JWKS   string `json:"jwks_uri"`
	}
	get("/.well-known/openid-configuration", &config)
	if config.Issuer != issuer || config.JWKS != "https://10.0.0.1:6443/openid/v1/jwks" {
		t.Errorf("the document must name the issuer and where the keys are, it says %+v", config)
	}
	var set struct{ Keys []map[string]string }
	get("/openid/v1/jwks", &set)
	if len(set.Keys) != 1 || set.Keys[0]["kty"] != "EC" || set.Keys[0]["x"] == "" || set.Keys[0]["kid"] == "" || set.Keys[0]["d"] != "" {
		t.Errorf("there is one key, public and named, got %v", set.Keys)
	}
}
