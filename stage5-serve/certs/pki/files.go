package pki

import (
	"cmp"
	"crypto"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// LoadOrMakeAuthority reads NAME.crt and NAME.key from a folder, or makes them.
func LoadOrMakeAuthority(folder, name string) (*Authority, error) {
	own := "kube-apiserver-" + name
	pair, cert, err := load(folder, name)
	switch {
	case err != nil:
		return nil, err
	case cert == nil || cert.Subject.CommonName == own && expiring(cert):
		a, err := NewAuthority(own)
		if err != nil {
			return nil, err
		}
		return a, save(folder, name, a.Pair)
	case !cert.IsCA:
		return nil, fmt.Errorf("%s: not the certificate of an authority; remove it and its key, and they will be made anew", filepath.Join(folder, name+".crt"))
	}
	return authority(pair)
}

// authority reads one from its pair.
func authority(p Pair) (*Authority, error) {
	cert, err := p.TLS()
	if err != nil {
		return nil, err
	}
	key, ok := cert.PrivateKey.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("a key of type %T cannot sign", cert.PrivateKey)
	}
	return &Authority{p, cert.Leaf, key}, nil
}

// MaybeDefaultWithSelfSignedCerts returns the pair NAME.crt and NAME.key of a
// folder, and makes it where it is not there. made tells which it was. A pair
// that the authority did not sign was put there by somebody, and is left alone.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go MaybeDefaultWithSelfSignedCerts
func MaybeDefaultWithSelfSignedCerts(folder, name string, a *Authority, r Request) (pair Pair, made bool, err error) {
	pair, cert, err := load(folder, name)
	if err != nil || cert != nil && !a.Outdated(cert, r.Names) {
		return pair, false, err
	}
	if pair, err = a.Issue(r); err != nil {
		return pair, false, fmt.Errorf("unable to generate self signed cert: %w", err)
	}
	return pair, true, save(folder, name, pair)
}

// Outdated says whether a certificate was made here and has to be made anew.
func (a *Authority) Outdated(cert *x509.Certificate, names []string) bool {
	if cert.Issuer.String() != a.cert.Subject.String() {
		return false
	}
	return expiring(cert) || cert.CheckSignatureFrom(a.cert) != nil || // signed by one that had expired itself
		slices.ContainsFunc(names, func(name string) bool { return cert.VerifyHostname(name) != nil })
}

// expiring says whether less than a tenth of the time is left.
func expiring(cert *x509.Certificate) bool {
	return time.Until(cert.NotAfter) < cert.NotAfter.Sub(cert.NotBefore)/10
}

// load reads a pair. Where neither file is there, cert is nil.
//
// Upstream: staging/src/k8s.io/client-go/util/cert/io.go CanReadCertAndKey
func load(folder, name string) (pair Pair, cert *x509.Certificate, err error) {
	certFile, keyFile := filepath.Join(folder, name+".crt"), filepath.Join(folder, name+".key")
	var certErr, keyErr error
	pair.CertPEM, certErr = os.ReadFile(certFile)
	pair.KeyPEM, keyErr = os.ReadFile(keyFile)
	if errors.Is(certErr, os.ErrNotExist) && errors.Is(keyErr, os.ErrNotExist) {
		return Pair{}, nil, nil
	}
	const remedy = "certificate and key are used as a pair; remove both and they will be made anew"
	if err := errors.Join(certErr, keyErr); errors.Is(err, os.ErrNotExist) {
		return Pair{}, nil, fmt.Errorf("%w: %s", err, remedy)
	} else if err != nil {
		return Pair{}, nil, cmp.Or(certErr, keyErr)
	}
	parsed, err := pair.TLS()
	if err != nil {
		return Pair{}, nil, fmt.Errorf("%s, %s: %w: %s", certFile, keyFile, err, remedy)
	}
	return pair, parsed.Leaf, nil
}

// save writes the key first: what a crash leaves is no pair, and says so.
func save(folder, name string, p Pair) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(folder, name+".key"), p.KeyPEM, 0o600); err != nil {
		return err
	}
	return writeFile(filepath.Join(folder, name+".crt"), p.CertPEM, 0o644)
}

// writeFile leaves either the old file or the whole new one, and never a key
// that others can read, not even for a moment.
func writeFile(path string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
