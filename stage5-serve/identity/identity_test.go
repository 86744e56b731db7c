package identity

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
)

func TestAnAuthorityOfProxiesAndUsersIsNoticed(t *testing.T) {
	folder := t.TempDir()
	authority := func(name string) (file string, text []byte) {
		t.Helper()
		a, err := pki.NewAuthority(name)
		if err != nil {
			t.Fatal(err)
		}
		file = filepath.Join(folder, name)
		if err := os.WriteFile(file, a.CertPEM, 0o600); err != nil {
			t.Fatal(err)
		}
		return file, a.CertPEM
	}
	own, ownCA := authority("own")
	proxies, _ := authority("proxies")
	users, _ := authority("users")
	for _, c := range []struct{ proxies, users, want string }{
		{proxies, users, ""},
		{proxies, "", ""},
		{users, users, "users"},
		{own, "", "own"},
	} {
		o := options.NewAuthenticationOptions()
		o.RequestHeader.ClientCAFile, o.ClientCAFile = c.proxies, c.users
		if got := inBoth(o, ownCA); got != c.want {
			t.Errorf("proxies of %q and users of %q: in both is %q, want %q", c.proxies, c.users, got, c.want)
		}
	}
}
