package see_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goStandIn builds nothing: what it is asked for becomes a script that tells what it was started with.
const goStandIn = `#!/bin/sh
while [ $# -gt 0 ]; do
  [ "$1" != -o ] || { printf '#!/bin/sh\necho "$0" "$@"\n' >"$2" && chmod +x "$2"; }
  shift
done
`

func TestACloneMayLieInAFolderWithSpaces(t *testing.T) {
	root, bin := filepath.Join(t.TempDir(), "my clone"), t.TempDir()
	text, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "stage5-serve"), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{filepath.Join(root, "Makefile"): text, filepath.Join(bin, "go"): []byte(goStandIn)} {
		if err := os.WriteFile(file, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for target, want := range map[string]string{"doctor": "bin/doctor doctor\n", "path": "bin/lab path", "stage5": "./bin/stage5-serve --bbolt-file=data/stage5/state.db"} {
		cmd := exec.Command("make", "--no-print-directory", "-C", root, target)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("make %s should come to %q, got %v\n%s", target, want, err, out)
		}
	}
}
