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
	cert, err := verified(req.TLS.PeerCertificates, c.Authorities)
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

// verified returns the first of the certificates that a client shows, if the
// others lead from it to one of the authorities.
func verified(shown []*x509.Certificate, authorities *x509.CertPool) (*x509.Certificate, error) {
	between := x509.NewCertPool()
	for _, other := range shown[1:] {
		between.AddCert(other)
	}
	if authorities == nil {
		authorities = x509.NewCertPool() // nil would mean those of the machine
	}
	_, err := shown[0].Verify(x509.VerifyOptions{Roots: authorities, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return shown[0], err
}
