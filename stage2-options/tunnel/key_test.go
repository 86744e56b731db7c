package tunnel_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage2-options/tunnel"
)

func noNodes(context.Context) ([]string, error) { return nil, nil }

func runOnce(file string) error {
	tunneler := tunnel.New("core", file, nil)
	defer tunneler.Stop()
	return tunneler.Run(noNodes)
}

func TestAKeyIsMadeOnceAndOnlyItsOwnerReadsIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "id")
	if err := runOnce(file); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the private key has mode %v, %v; want 0600", info.Mode(), err)
	}
	publicKey(t, file)
	if err := os.Remove(file + ".pub"); err != nil {
		t.Fatal(err)
	}
	if err := runOnce(file); err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(made, kept) {
		t.Errorf("a key that is there is used as it is, also without its .pub file; it was changed, or %v", err)
	}
	if rest, _ := filepath.Glob(file + ".*"); len(rest) != 0 {
		t.Errorf("no half-written file may be left, there are %q", rest)
	}
}

func TestAKeyThatCannotBeReadIsAnErrorThatNamesIt(t *testing.T) {
	folder := t.TempDir()
	garbage := filepath.Join(folder, "garbage")
	if err := os.WriteFile(garbage, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{garbage, folder, filepath.Join(folder, "missing", "id")} {
		if err := runOnce(file); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("a key in %q cannot be used; want an error that names it, got %v", file, err)
		}
	}
	if err := runOnce(""); err == nil {
		t.Error("without the name of a file there is no key, and Run must say so")
	}
}
