package authenticator

import (
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"net/http"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// Certificates believes client certificates that one of the authorities
// signed: the common name is the user, the organisations are the groups. The
// TLS layer has only asked for them; here they are verified, with each request,
// since one may expire while its connection lasts.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/request/x509/x509.go Authenticator
type Certificates struct{ Authorities *x509.CertPool }

// Authenticate is part of Authenticator.
func (c Certificates) Authenticate(req *http.Request) (request.User, bool, error) {
	if req.TLS == nil || len(req.TLS.PeerCertificates) == 0 {
		return request.User{}, false, nil
	}
	cert, between := req.TLS.PeerCertificates[0], x509.NewCertPool()
	for _, other := range req.TLS.PeerCertificates[1:] {
		between.AddCert(other)
	}
	roots := c.Authorities
	if roots == nil {
		roots = x509.NewCertPool() // nil would mean those of the machine
	}
	_, err := cert.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	switch {
	case err != nil:
		return request.User{}, false, fmt.Errorf("client certificate of %q: %w", cert.Subject.CommonName, err)
	case cert.Subject.CommonName == "":
		return request.User{}, false, nil
	}
	return request.User{
		Name: cert.Subject.CommonName, Groups: cert.Subject.Organization,
		Extra: map[string][]string{"authentication.kubernetes.io/credential-id": {fmt.Sprintf("X509SHA256=%x", sha256.Sum256(cert.Raw))}},
	}, true, nil
}
