package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// validity is how long a certificate is good for; one that has less than a
// tenth of it left is made anew at the next start.
const validity = 365 * 24 * time.Hour

// Pair is a certificate with its key, in PEM.
type Pair struct{ CertPEM, KeyPEM []byte }

// TLS is the pair as package tls wants it.
func (p Pair) TLS() (tls.Certificate, error) { return tls.X509KeyPair(p.CertPEM, p.KeyPEM) }

// Authority signs certificates.
type Authority struct {
	Pair
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// Request says what a certificate is for.
type Request struct {
	CommonName   string
	Organization []string
	Names        []string // DNS names and IP addresses: a server's; none: a client's
}

// NewAuthority makes an authority in memory.
func NewAuthority(name string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template, err := template(name, nil)
	if err != nil {
		return nil, err
	}
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	a := &Authority{key: key}
	if a.Pair, a.cert, err = sign(template, template, key, key); err != nil {
		return nil, err
	}
	return a, nil
}

// Issue makes a certificate.
func (a *Authority) Issue(r Request) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, err
	}
	template, err := template(r.CommonName, r.Organization)
	if err != nil {
		return Pair{}, err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	for _, name := range r.Names {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	pair, _, err := sign(template, a.cert, key, a.key)
	if err != nil {
		return Pair{}, err
	}
	if len(r.Names) > 0 {
		pair.CertPEM = append(pair.CertPEM, a.CertPEM...) // the chain that a server shows
	}
	return pair, nil
}

func template(name string, organization []string) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name, Organization: organization},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(validity), // a clock may be a little behind
	}, nil
}

func sign(template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) (Pair, *x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		return Pair{}, nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return Pair{}, nil, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return Pair{}, nil, err
	}
	return Pair{
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}),
	}, cert, nil
}

// LoadOrMakeAuthority reads NAME.crt and NAME.key from a folder, or makes them.
func LoadOrMakeAuthority(folder, name string) (*Authority, error) {
	pair, found, err := load(folder, name)
	if err != nil {
		return nil, err
	}
	if !found {
		a, err := NewAuthority(name)
		if err != nil {
			return nil, err
		}
		return a, save(folder, name, a.Pair)
	}
	parsed, err := pair.TLS()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(folder, name+".crt"), err)
	}
	key, ok := parsed.PrivateKey.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s: not an ECDSA key", filepath.Join(folder, name+".key"))
	}
	return &Authority{Pair: pair, cert: parsed.Leaf, key: key}, nil
}

// MaybeDefaultWithSelfSignedCerts returns the pair NAME.crt and NAME.key of a
// folder, and makes it where it is not there or about to expire. made tells
// which it was.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go MaybeDefaultWithSelfSignedCerts
func MaybeDefaultWithSelfSignedCerts(folder, name string, a *Authority, r Request) (pair Pair, made bool, err error) {
	pair, found, err := load(folder, name)
	if err != nil || found {
		return pair, false, err
	}
	if pair, err = a.Issue(r); err != nil {
		return pair, false, fmt.Errorf("unable to generate self signed cert: %w", err)
	}
	return pair, true, save(folder, name, pair)
}

// load reads a pair. found is false where neither file is there, or where the
// certificate is about to expire; one without the other is an error.
func load(folder, name string) (pair Pair, found bool, err error) {
	certFile, keyFile := filepath.Join(folder, name+".crt"), filepath.Join(folder, name+".key")
	cert, certErr := os.ReadFile(certFile)
	key, keyErr := os.ReadFile(keyFile)
	switch {
	case errors.Is(certErr, os.ErrNotExist) && errors.Is(keyErr, os.ErrNotExist):
		return Pair{}, false, nil
	case certErr != nil:
		return Pair{}, false, fmt.Errorf("%w: certificate and key must be supplied as a pair", certErr)
	case keyErr != nil:
		return Pair{}, false, fmt.Errorf("%w: certificate and key must be supplied as a pair", keyErr)
	}
	pair = Pair{cert, key}
	parsed, err := pair.TLS()
	if err != nil {
		return Pair{}, false, fmt.Errorf("%s: %w", certFile, err)
	}
	return pair, time.Until(parsed.Leaf.NotAfter) > validity/10, nil
}

func save(folder, name string, p Pair) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return errors.Join(
		writeFile(filepath.Join(folder, name+".key"), p.KeyPEM, 0o600),
		writeFile(filepath.Join(folder, name+".crt"), p.CertPEM, 0o644),
	)
}

// writeFile leaves either the old file or the whole new one.
func writeFile(path string, data []byte, mode os.FileMode) error {
	temp := path + ".tmp"
	if err := os.WriteFile(temp, data, mode); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
