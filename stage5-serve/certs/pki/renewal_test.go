package pki

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.com/kube-apiserver/stage2-options/options"
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

func TestWhatSomebodyAddsToTheKubeconfigStaysWhileItGetsIn(t *testing.T) {
	o := &options.SecureServingOptions{CertDirectory: t.TempDir()}
	a, err := NewAuthority("ours")
	if err != nil {
		t.Fatal(err)
	}
	another, err := NewAuthority("ours")
	if err != nil {
		t.Fatal(err)
	}
	expired, err := a.sign(template("kubernetes-admin", nil, time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	const url = "https://127.0.0.1:6443"
	for name, c := range map[string]struct {
		url   string
		by    *Authority
		shows *Pair // nil: as it was written
		stays bool
	}{
		"the same server":     {url, a, nil, true},
		"another port":        {"https://127.0.0.1:64430", a, nil, false},
		"another authority":   {url, another, nil, false},
		"a certificate's end": {url, a, &expired, false},
	} {
		t.Run(name, func(t *testing.T) {
			path, err := writeAdminKubeconfig(o, a, url)
			if err == nil && c.shows != nil {
				err = WriteKubeconfig(path, url, a.CertPEM, *c.shows)
			}
			if err != nil {
				t.Fatal(err)
			}
			written, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			mine := slices.Concat(written, []byte("# a context of mine\n"))
			if err := os.WriteFile(path, mine, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := writeAdminKubeconfig(o, c.by, c.url); err != nil {
				t.Fatal(err)
			}
			now, err := os.ReadFile(path)
			if err != nil || slices.Equal(now, mine) != c.stays {
				t.Errorf("stays as somebody left it: want %v, got %v, error %v", c.stays, !c.stays, err)
			}
			if !bytes.Contains(now, []byte("server: "+c.url+"\n")) {
				t.Errorf("the kubeconfig has to lead to %s:\n%s", c.url, now)
			}
			os.Remove(path)
		})
	}
}
