package reload

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestAChangedFileIsReadAgainAndABadOneIsNot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write := func(text string, age time.Duration) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if at := time.Now().Add(-age); os.Chtimes(path, at, at) != nil {
			t.Fatal("the test cannot set a file's time")
		}
	}
	reads := 0
	write("one", 3*time.Hour)
	f, err := Read(func() (string, error) {
		reads++
		data, err := os.ReadFile(path)
		if string(data) == "bad" {
			return "", errors.New("bad content")
		}
		return string(data), err
	}, path)
	if err != nil || f.Get() != "one" {
		t.Fatalf("the first reading gives %q, %v", f.Get(), err)
	}
	now := time.Now()
	for _, c := range []struct{ write, want string }{{"", "one"}, {"two", "two"}, {"bad", "two"}, {"", "two"}, {"three", "three"}} {
		now = now.Add(2 * lookEvery)
		if c.write != "" {
			write(c.write, time.Duration(len(c.write))*time.Minute)
		}
		if got := f.at(now); got != c.want {
			t.Errorf("after writing %q the value is %q, want %q", c.write, got, c.want)
		}
	}
	if reads != 4 { // the first, two, bad, three
		t.Errorf("the file was read %d times, want 4: only when it has changed", reads)
	}
	write("four", 0)
	if got := f.at(now); got != "three" {
		t.Errorf("within a second nobody looks again, and the value is %q", got)
	}
}
