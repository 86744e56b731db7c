package pki

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// plant saves a certificate that runs out within the hour.
func plant(t *testing.T, folder, name string, by *Authority, ca bool) Pair {
	t.Helper()
	cert := template("kube-apiserver-"+name, nil, time.Hour)
	cert.NotBefore = time.Now().Add(-year)
	cert.DNSNames = []string{"localhost"}
	cert.IsCA, cert.BasicConstraintsValid = ca, true
	if by == nil {
		by = &Authority{cert: cert}
	}
	pair, err := by.sign(cert)
	if err != nil {
		t.Fatal(err)
	}
	if err := save(folder, name, pair); err != nil {
		t.Fatal(err)
	}
	return pair
}

func TestACertificateIsMadeAnewBeforeItExpires(t *testing.T) {
	folder := t.TempDir()
	a, err := NewAuthority("ours")
	if err != nil {
		t.Fatal(err)
	}
	old := plant(t, folder, "apiserver", a, false)
	pair, made, err := MaybeDefaultWithSelfSignedCerts(folder, "apiserver", a, Request{Names: []string{"localhost"}})
	if err != nil || !made {
		t.Fatalf("a certificate that runs out within the hour must be made anew: made %v, error %v", made, err)
	}
	onDisk, err := os.ReadFile(filepath.Join(folder, "apiserver.crt"))
	if err != nil {
		t.Fatal(err)
	}
	if string(onDisk) != string(pair.CertPEM) || string(onDisk) == string(old.CertPEM) {
		t.Error("the new certificate must replace the old one on disk, or every start makes another")
	}
}

func TestAnAuthorityThatExpiresTakesItsCertificatesAlong(t *testing.T) {
	folder := t.TempDir()
	plant(t, folder, "ca", nil, true)
	data, _, err := load(folder, "ca")
	if err != nil {
		t.Fatal(err)
	}
	old, err := authority(data)
	if err != nil {
		t.Fatal(err)
	}
	request := Request{CommonName: "kube-apiserver", Names: []string{"localhost"}}
	if _, _, err := MaybeDefaultWithSelfSignedCerts(folder, "apiserver", old, request); err != nil {
		t.Fatal(err)
	}
	renewed, err := LoadOrMakeAuthority(folder, "ca")
	if err != nil {
		t.Fatal(err)
	}
	if string(renewed.CertPEM) == string(old.CertPEM) {
		t.Fatal("an authority that runs out within the hour must be made anew")
	}
	pair, made, err := MaybeDefaultWithSelfSignedCerts(folder, "apiserver", renewed, request)
	if err != nil || !made {
		t.Fatalf("clients trust the new authority only, so what the old one signed must be made anew: made %v, error %v", made, err)
	}
	cert, err := pair.TLS()
	if err != nil {
		t.Fatal(err)
	}
	if err := cert.Leaf.CheckSignatureFrom(renewed.cert); err != nil {
		t.Errorf("the new authority did not sign the new certificate: %v", err)
	}
}
