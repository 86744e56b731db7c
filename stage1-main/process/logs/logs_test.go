package logs_test

import (
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage1-main/process/logs"
)

func TestWhatLibrariesLogIsCapturedAndNotLost(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stderr := os.Stderr
	os.Stderr = f
	defer func() { os.Stderr = stderr; log.SetOutput(stderr) }()

	logs.InitLogs()
	log.Print("from log")
	slog.Warn("from slog")
	logs.FlushLogs()
	log.Print("after the end")
	logs.FlushLogs() // deferred and called: once is enough, twice does no harm

	text, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"from log", "from slog", "after the end"} {
		if n := strings.Count(string(text), want); n != 1 {
			t.Errorf("%q stands %d times on stderr, want once:\n%s", want, n, text)
		}
	}
}
