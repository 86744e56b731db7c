package authenticator

import (
	"crypto/subtle"
	"crypto/x509"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// Authenticator recognises a user. ok is false where the request shows nothing
// that it understands; an error says that it shows something bad.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/authenticator/interfaces.go Request
type Authenticator interface {
	Authenticate(req *http.Request) (user request.User, ok bool, err error)
}

// Union asks one after the other; the first that knows the user decides. Where
// none does, the errors of all are returned.
type Union []Authenticator

// Authenticate is part of Authenticator.
func (u Union) Authenticate(req *http.Request) (request.User, bool, error) {
	var errs []error
	for _, a := range u {
		user, ok, err := a.Authenticate(req)
		if ok {
			if user.Name != anonymous.Name && !slices.Contains(user.Groups, allAuthenticated) {
				user.Groups = append(slices.Clone(user.Groups), allAuthenticated)
			}
			return user, true, nil
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return request.User{}, false, errors.Join(errs...)
}

const allAuthenticated = "system:authenticated"

// Certificates believes client certificates that one of the authorities signed:
// the common name is the user, the organisations are the groups.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/request/x509/x509.go Authenticator
type Certificates struct{ Authorities *x509.CertPool }

// Authenticate is part of Authenticator.
func (c Certificates) Authenticate(req *http.Request) (request.User, bool, error) {
	if req.TLS == nil || len(req.TLS.PeerCertificates) == 0 {
		return request.User{}, false, nil
	}
	cert := req.TLS.PeerCertificates[0]
	rest := x509.NewCertPool()
	for _, between := range req.TLS.PeerCertificates[1:] {
		rest.AddCert(between)
	}
	_, err := cert.Verify(x509.VerifyOptions{Roots: c.Authorities, Intermediates: rest, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	if err != nil {
		return request.User{}, false, fmt.Errorf("client certificate: %w", err)
	}
	return request.User{Name: cert.Subject.CommonName, Groups: cert.Subject.Organization}, true, nil
}

// Tokens knows users by bearer tokens.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/token/tokenfile/tokenfile.go TokenAuthenticator
type Tokens []Token

// Token is one token and whose it is.
type Token struct {
	Secret string
	User   request.User
}

// Authenticate is part of Authenticator.
func (t Tokens) Authenticate(req *http.Request) (request.User, bool, error) {
	scheme, secret, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") || secret == "" {
		return request.User{}, false, nil
	}
	var found *request.User
	for i := range t { // all of them, so that the time tells nothing
		if subtle.ConstantTimeCompare([]byte(t[i].Secret), []byte(strings.TrimSpace(secret))) == 1 {
			found = &t[i].User
		}
	}
	if found == nil {
		return request.User{}, false, errors.New("invalid bearer token")
	}
	return *found, true, nil
}

// ReadTokenFile reads lines of TOKEN,USER,UID and, if any, "GROUP,GROUP".
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/token/tokenfile/tokenfile.go NewCSV
func ReadTokenFile(path string) (Tokens, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	var tokens Tokens
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return tokens, nil
		}
		line, _ := r.FieldPos(0)
		switch {
		case err != nil:
			return nil, err
		case len(fields) < 3 || fields[0] == "" || fields[1] == "":
			return nil, fmt.Errorf(`%s:%d: want TOKEN,USER,UID and perhaps "GROUP,GROUP"`, path, line)
		}
		t := Token{fields[0], request.User{Name: fields[1], UID: fields[2]}}
		if len(fields) > 3 && fields[3] != "" {
			t.User.Groups = strings.Split(fields[3], ",")
		}
		tokens = append(tokens, t)
	}
}

var anonymous = request.User{Name: "system:anonymous", Groups: []string{"system:unauthenticated"}}

// Anonymous recognises everybody who shows no credentials. It comes last.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/request/anonymous/anonymous.go NewAuthenticator
type Anonymous struct{}

// Authenticate is part of Authenticator.
func (Anonymous) Authenticate(req *http.Request) (request.User, bool, error) {
	if req.Header.Get("Authorization") != "" {
		return request.User{}, false, nil // who shows something bad is not let in as nobody
	}
	return anonymous, true, nil
}
