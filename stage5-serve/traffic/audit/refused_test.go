package audit

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestWhoIsNotRecognisedIsWrittenDownOnceAndWithoutHisSecret(t *testing.T) {
	for name, c := range map[string]struct {
		header string
		shows  *tls.ConnectionState
		says   string
	}{
		"a token":       {"Bearer very-secret", nil, "Authentication failed, attempted: bearer"},
		"a password":    {"Basic very-secret", nil, "Authentication failed, attempted: basic"},
		"a certificate": {"Bearer very-secret", &tls.ConnectionState{PeerCertificates: []*x509.Certificate{{}}}, "Authentication failed, attempted: bearer, x509"},
		"nothing":       {"", nil, "Authentication failed, no credentials provided"},
	} {
		out := &buffer{}
		l := &Log{Policy: Everything, out: out}
		req := httptest.NewRequest("GET", "/api", nil)
		req.Header.Set("Authorization", c.header)
		req.TLS = c.shows
		l.WithRefused(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })).ServeHTTP(httptest.NewRecorder(), req)
		line := out.String()
		if strings.Count(line, "\n") != 1 || !strings.Contains(line, `"stage":"ResponseStarted"`) || !strings.Contains(line, `"message":"`+c.says+`"`) || !strings.Contains(line, `"code":401`) {
			t.Errorf("%s that is wrong leaves one line that says %q and 401, the log is\n%s", name, c.says, line)
		}
		if strings.Contains(line, "very-secret") {
			t.Errorf("%s must not be in the log:\n%s", name, line)
		}
	}
}

func TestA401OfSomebodyElseIsNoFailureToBeRecognised(t *testing.T) {
	out := &buffer{}
	l := &Log{Policy: Everything, out: out}
	inside := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }) // a pod, through a proxy
	l.WithRefused(l.WithAudit(inside)).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api", nil))
	if strings.Contains(out.String(), "Authentication failed") {
		t.Errorf("the user was recognised, and the log says otherwise:\n%s", out)
	}
	out.Reset()
	l.WithRefused(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api", nil))
	if out.Len() > 0 {
		t.Errorf("no other answer is written down here:\n%s", out)
	}
	(&Log{Policy: &Policy{Rules: []Rule{{Level: none}}}, out: out}).WithRefused(inside).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api", nil))
	if out.Len() > 0 {
		t.Errorf("a policy that wants nothing gets nothing:\n%s", out)
	}
}
