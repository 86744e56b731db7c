// Package sample gives tests a small workspace of two stages with chapters,
// exercises and transcripts, to be broken.
package sample

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/kube-apiserver/docs/tools/tree"
)

// Copy unpacks the workspace into a folder of the test's own.
func Copy(t testing.TB) *tree.Tree {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join(filepath.Dir(here), "..", "testdata", "sample"))); err != nil {
		t.Fatal(err)
	}
	w, err := tree.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Edit replaces old, which must be there, by new in a file; an empty old appends,
// and makes the file if need be.
func Edit(t testing.TB, w *tree.Tree, file, old, new string) {
	t.Helper()
	src, err := os.ReadFile(w.Abs(file))
	if err != nil && old != "" {
		t.Fatal(err)
	}
	text := string(src) + new
	if old != "" {
		if !strings.Contains(string(src), old) {
			t.Fatalf("%s does not contain %q", file, old)
		}
		text = strings.ReplaceAll(string(src), old, new)
	}
	if err := os.MkdirAll(filepath.Dir(w.Abs(file)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.Abs(file), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
