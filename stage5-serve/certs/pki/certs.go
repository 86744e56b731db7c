package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"net"
	"time"
)

const year = 365 * 24 * time.Hour

// Pair is a certificate with its key, in PEM.
type Pair struct{ CertPEM, KeyPEM []byte }

// TLS is the pair as package tls wants it.
func (p Pair) TLS() (tls.Certificate, error) { return tls.X509KeyPair(p.CertPEM, p.KeyPEM) }

// Authority signs certificates.
type Authority struct {
	Pair
	cert *x509.Certificate
	key  crypto.Signer
}

// Request says what a certificate is for.
type Request struct {
	CommonName   string   // of a client: the user
	Organization []string // of a client: the groups
	Names        []string // DNS names and IP addresses: a server's; none: a client's
}

// NewAuthority makes an authority in memory. It outlives what it signs by
// far, so that clients who trust it need not be told of a new one every year.
func NewAuthority(name string) (*Authority, error) {
	cert := template(name, nil, 10*year)
	cert.IsCA, cert.BasicConstraintsValid, cert.MaxPathLenZero = true, true, true
	cert.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	pair, err := (&Authority{cert: cert}).sign(cert)
	if err != nil {
		return nil, err
	}
	return authority(pair)
}

// Issue makes a certificate, good for a year.
func (a *Authority) Issue(r Request) (Pair, error) {
	cert := template(r.CommonName, r.Organization, year)
	cert.KeyUsage = x509.KeyUsageDigitalSignature
	cert.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	if len(r.Names) > 0 {
		cert.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}
	for _, name := range r.Names {
		if ip := net.ParseIP(name); ip != nil {
			cert.IPAddresses = append(cert.IPAddresses, ip)
		} else {
			cert.DNSNames = append(cert.DNSNames, name)
		}
	}
	pair, err := a.sign(cert)
	if err == nil {
		pair.CertPEM = append(pair.CertPEM, a.CertPEM...) // the chain, as it is shown
	}
	return pair, err
}

func template(name string, organization []string, validity time.Duration) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{ // CreateCertificate picks a random serial number
		Subject:   pkix.Name{CommonName: name, Organization: organization},
		NotBefore: now.Add(-time.Hour), // a client's clock may be behind
		NotAfter:  now.Add(validity),
	}
}

// sign makes a key and puts it into the certificate. An authority without a
// key of its own signs with the new one: that is its own certificate.
func (a *Authority) sign(cert *x509.Certificate) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, err
	}
	signer := a.key
	if signer == nil {
		signer = key
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, a.cert, key.Public(), signer)
	if err != nil {
		return Pair{}, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return Pair{}, err
	}
	return Pair{
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}),
	}, nil
}

// LoopbackName is the server name by which the server's own client asks for
// the certificate that only it trusts.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config_selfclient.go LoopbackClientServerNameOverride
const LoopbackName = "apiserver-loopback-client"

// Loopback makes the certificate under LoopbackName, and the roots by which
// the server's own client verifies it. Neither ever leaves the memory, so
// nobody else can stand in for the server.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go ApplyTo
// Now: staging/src/k8s.io/apiserver/pkg/server/options/serving_with_loopback.go ApplyTo
func Loopback() (cert tls.Certificate, roots *x509.CertPool, err error) {
	a, err := NewAuthority(LoopbackName)
	if err != nil {
		return cert, nil, err
	}
	pair, err := a.Issue(Request{CommonName: LoopbackName, Names: []string{LoopbackName}})
	if err != nil {
		return cert, nil, err
	}
	roots = x509.NewCertPool()
	roots.AddCert(a.cert)
	cert, err = pair.TLS()
	return cert, roots, err
}
