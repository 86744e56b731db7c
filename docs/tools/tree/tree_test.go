package tree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/docs/tools/tree"
)

const src = `package x

import (
	"fmt"
	yaml "gopkg.in/yaml.v3"
	"slices"
)

// A is a type.
type A struct {
	n int
}

type G[T any] struct{}

// These are both.
const (
	// One is the first.
	One = iota
	Two // the second
)

// F does it.
func (a *A) F(keys []string) error {
	//step:1.2 sort
	slices.Sort(keys)
	fmt.Println(yaml.Node{})
	//step:end
	return nil
}

func (g *G[T]) M() { return }

func Last() {
	_ = 1
}
`

func file(t *testing.T) *tree.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"stage1-x/go.mod": "module example.com/x\n", "stage1-x/x.go": src} {
		if err := os.MkdirAll(filepath.Join(dir, "stage1-x"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAnAddressNamesAnExcerpt(t *testing.T) {
	w := file(t)
	for _, c := range []struct{ name, text string }{
		{"A", "// A is a type.\ntype A struct {\n	n int\n}\n"},
		{"One", "// One is the first.\nOne = iota\n"},
		{"Two", "Two // the second\n"},
		{"step:1.2", "slices.Sort(keys)\nfmt.Println(yaml.Node{})\n"},
		{"A.F", "// F does it.\nfunc (a *A) F(keys []string) error {\n	slices.Sort(keys)\n	fmt.Println(yaml.Node{})\n	return nil\n}\n"},
		{"G.M", "func (g *G[T]) M() { return }\n"},
		{"Last", "func Last() {\n	_ = 1\n}\n"},
	} {
		p, err := w.Resolve("stage1-x/x.go#" + c.name)
		if err != nil || p.Text != c.text {
			t.Errorf("%s: got %q (%v), want %q", c.name, p.Text, err, c.text)
		}
	}
	if p, _ := w.Resolve("stage1-x/x.go#A.F"); p.Line != 24 {
		t.Errorf("A.F stands at line %d, want 24, where its name is", p.Line)
	}
	for addr, want := range map[string]string{
		"stage1-x/x.go":          "an address is",
		"stage1-x/y.go#A":        "no such file",
		"stage1-x/x.go#B":        "nothing is declared as B",
		"stage1-x/x.go#step:1.3": "no line //step:1.3",
	} {
		if _, err := w.Resolve(addr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", addr, err, want)
		}
	}
}

func TestABlankCompilesAndTheSolutionBringsTheFileBack(t *testing.T) {
	for _, name := range []string{"A.F", "step:1.2", "Last"} {
		ref, err := tree.Region([]byte(src), name)
		if err != nil {
			t.Fatal(err)
		}
		blank, err := tree.Replace([]byte(src), name, "	panic(\"empty\")\n")
		if err != nil {
			t.Fatal(err)
		}
		if used := strings.Contains(string(blank), "\n	\"slices\""); used != (name == "Last") {
			t.Errorf("%s: imports that only the reference used should be blank:\n%s", name, blank)
		}
		back, err := tree.Replace(blank, name, ref)
		if err != nil || string(back) != src {
			t.Errorf("%s: the solution should give the file again (%v):\n%s", name, err, back)
		}
	}
}

func TestOneLineAndTypesCannotBeBlanked(t *testing.T) {
	for _, name := range []string{"G.M", "A", "One"} {
		if _, _, err := tree.Inside([]byte(src), name); err == nil || !strings.Contains(err.Error(), "cannot be blanked") {
			t.Errorf("%s: got %v, want that it cannot be blanked", name, err)
		}
	}
}

func TestRegionsAreComparedAfterFormatting(t *testing.T) {
	if !tree.Equal([]byte(src), "Last", "_=1", "	_ = 1\n") {
		t.Error("two texts that gofmt makes the same should be equal")
	}
	if tree.Equal([]byte(src), "Last", "_=1", "_=2") {
		t.Error("1 and 2 should not be equal")
	}
}

func TestImportNames(t *testing.T) {
	for path, want := range map[string]string{"fmt": "fmt", "a/b": "b", "a/b/v5": "b", "gopkg.in/yaml.v3": "yaml", "go.etcd.io/bbolt": "bbolt", "a/go-cmp": "cmp"} {
		if got := tree.ImportName(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
