package authenticator_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"github.com/google/go-cmp/cmp"
)

func writeTokens(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheTokenFileIsRead(t *testing.T) {
	got, err := authenticator.ReadTokenFile(writeTokens(t, "admintoken,admin,1,\"system:masters\"\n\nalicetoken,alice,2,\"devs, ops\"\nbobtoken, bob,3\nevetoken,eve,,\"\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := authenticator.Tokens{
		{Secret: "admintoken", User: request.User{Name: "admin", UID: "1", Groups: []string{"system:masters"}}},
		{Secret: "alicetoken", User: request.User{Name: "alice", UID: "2", Groups: []string{"devs", "ops"}}},
		{Secret: "bobtoken", User: request.User{Name: "bob", UID: "3"}},
		{Secret: "evetoken", User: request.User{Name: "eve"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the file says something else (-want +got):\n%s", diff)
	}
}

func TestABadLineOfTheTokenFileIsNamedAndItsTokenIsNot(t *testing.T) {
	for line, want := range map[string]string{
		"secret":                "1 columns",
		"secret,bob":            "2 columns",
		"secret,bob,1,devs,ops": "5 columns",
		",bob,1":                "the token is empty",
		"secret,,1":             "the user is empty",
		"sec ret,bob,1":         "white space",
		"first,bob,1":           "the token of line 1 again",
		`secret,bob,1,"devs`:    `extraneous or missing "`,
		`sec"ret,bob,1,devs`:    `bare "`,
	} {
		path := writeTokens(t, "first,alice,1\n"+line+"\n")
		_, err := authenticator.ReadTokenFile(path)
		if err == nil {
			t.Errorf("%q must be an error", line)
			continue
		}
		text := err.Error()
		if !strings.HasPrefix(text, path+":") || !strings.Contains(text, "2") || !strings.Contains(text, want) {
			t.Errorf("%q: the error must name file and line and say %q, got %q", line, want, text)
		}
		if strings.Contains(text, "secret") || strings.Contains(text, "first") {
			t.Errorf("%q: the error shows a token: %q", line, text)
		}
	}
	if _, err := authenticator.ReadTokenFile(filepath.Join(t.TempDir(), "none.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there must be an error, got %v", err)
	}
}

// The parser may refuse anything, but what it accepts must be usable.
func FuzzReadTokenFile(f *testing.F) {
	f.Add("a,b,c\n")
	f.Add("a,b,c,\"d,e\"\n\"x\"\"y\",z,\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "tokens.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tokens, err := authenticator.ReadTokenFile(path)
		if err != nil {
			return
		}
		for _, token := range tokens {
			if user, ok, err := tokens.Authenticate(get("Bearer " + token.Secret)); !ok || user.Name != token.User.Name {
				t.Errorf("the token of %q was accepted from the file and recognises nobody: ok %v, error %v", token.User.Name, ok, err)
			}
		}
	})
}
