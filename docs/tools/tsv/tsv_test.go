package tsv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t *testing.T, text string, columns ...string) ([]Row, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.tsv")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Read(file, columns...)
}

func TestRowsAreReadByTheirColumns(t *testing.T) {
	rows, err := read(t, "# why\n\nid\tsays.en\n1\ttwo\\nlines\n", "id", "says.en")
	if err != nil || len(rows) != 1 || rows[0].Get("says.en") != "two\nlines" || rows[0].At() != "x.tsv:4" {
		t.Errorf("got %v (%v), want one row of line 4 with a line break in it", rows, err)
	}
}

func TestAWrongTableIsRefusedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{"id\tb\n1\n": "x.tsv:2: 1 cells, but there are 2 columns", "a\tb\n1\t2\n": `no column "id"`} {
		if _, err := read(t, text, "id"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestNoTableIsAnEmptyTable(t *testing.T) {
	if rows, err := Read(filepath.Join(t.TempDir(), "none.tsv"), "id"); rows != nil || err != nil {
		t.Errorf("got %v, %v; want nothing", rows, err)
	}
}
