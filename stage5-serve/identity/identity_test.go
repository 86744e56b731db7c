package identity

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage5-serve/certs/pki"
	"example.com/kube-apiserver/stage5-serve/flags"
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
		if got := inBoth(c.proxies, c.users, ownCA); got != c.want {
			t.Errorf("proxies of %q and users of %q: in both is %q, want %q", c.proxies, c.users, got, c.want)
		}
	}
}

func TestALimitOfTokensThatIsNoneIsRefused(t *testing.T) {
	for limit, wrong := range map[time.Duration]bool{
		0: false, time.Hour: false, 1 << 32 * time.Second: false,
		time.Hour - time.Second: true, -time.Hour: true, (1<<32 + 1) * time.Second: true,
	} {
		s := flags.NewServerRunOptions()
		s.SecureServing.CertDirectory = t.TempDir()
		s.ServiceAccounts.MaxExpiration = limit
		err := (&Identity{}).knowTokens(s, "secret")
		if (err != nil) != wrong || wrong && !strings.HasPrefix(err.Error(), "--service-account-max-token-expiration="+limit.String()+": ") {
			t.Errorf("a limit of %s: must it be refused, with the flag's name and value? %v; got %v", limit, wrong, err)
		}
	}
}
