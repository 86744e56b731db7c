package certs_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage5-serve/certs"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
)

// flag is --tls-sni-cert-key with a certificate whose common name is cn and
// which is for names, given with explicit names or none.
func flag(t *testing.T, cn string, names, explicit []string) options.NamedCertKey {
	t.Helper()
	authority, err := pki.NewAuthority("ours")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Issue(pki.Request{CommonName: cn, Names: names})
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(t.TempDir(), "sni")
	if err := errors.Join(os.WriteFile(base+".crt", pair.CertPEM, 0o600), os.WriteFile(base+".key", pair.KeyPEM, 0o600)); err != nil {
		t.Fatal(err)
	}
	return options.NamedCertKey{CertFile: base + ".crt", KeyFile: base + ".key", Names: explicit}
}

func TestEarlierFlagAndExplicitNameWin(t *testing.T) {
	flags := []options.NamedCertKey{
		flag(t, "one.example.com", []string{"shared.example.com", "taken.example.com", "127.0.0.1"}, nil),
		flag(t, "A Title", []string{"shared.example.com", "two.example.com", "*.two.example.com"}, nil),
		flag(t, "127.0.0.3", []string{"unseen.example.com"}, []string{"Taken.example.com", "given.example.com"}),
		flag(t, "four", []string{"unseen.example.com"}, []string{"given.example.com"}),
	}
	got, err := certs.GetNamedCertificateMap(flags)
	if err != nil {
		t.Fatal(err)
	}
	byTitle := map[string]string{
		"one.example.com": "one.example.com", "taken.example.com": "127.0.0.3", "given.example.com": "127.0.0.3",
		"shared.example.com": "one.example.com", "two.example.com": "A Title", "*.two.example.com": "A Title",
	}
	for _, name := range slices.Sorted(maps.Keys(byTitle)) {
		cert, want := got[name], byTitle[name]
		if cert == nil {
			t.Errorf("no certificate for %s, want that of %q", name, want)
		} else if cn := cert.Leaf.Subject.CommonName; cn != want {
			t.Errorf("%s must get the certificate of %q, got that of %q: an explicit name beats one in a certificate, then the earlier flag beats the later", name, want, cn)
		}
	}
	for name := range got {
		if _, ok := byTitle[name]; !ok {
			t.Errorf("%q is in the map: addresses and titles are no server names, and explicit names stand instead of those in the certificate", name)
		}
	}
}

func TestAnSNICertificateThatCannotBeReadIsNamed(t *testing.T) {
	good, bad := flag(t, "one.example.com", nil, nil), flag(t, "two.example.com", nil, nil)
	if err := os.Remove(bad.KeyFile); err != nil {
		t.Fatal(err)
	}
	_, err := certs.GetNamedCertificateMap([]options.NamedCertKey{good, bad})
	if err == nil || !strings.HasPrefix(err.Error(), "failed to load SNI cert and key: ") || !strings.Contains(err.Error(), bad.KeyFile) {
		t.Errorf("the error must name the file that cannot be read, got %v", err)
	}
}
