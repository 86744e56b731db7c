package see_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"example.com/kube-apiserver/docs/tools/sample"
	"example.com/kube-apiserver/docs/tools/see"
	"example.com/kube-apiserver/docs/tools/tree"
	"github.com/rogpeppe/go-internal/testscript"
)

func play(t *testing.T, w *tree.Tree, update bool) (string, bool) {
	t.Helper()
	files, err := see.Files(w, 1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := see.Player{Tree: w, Bin: t.TempDir(), Update: update}
	ok := see.Play(&out, p.Params(files))
	return out.String(), ok
}

func TestWhatWasRecordedIsPrintedAgain(t *testing.T) {
	w := sample.Copy(t)
	if out, ok := play(t, w, true); !ok {
		t.Fatalf("recording failed:\n%s", out)
	}
	src, err := os.ReadFile(w.Abs("docs/transcripts/stage1.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"-- twice.out --\nthe stored version is another one\n",
		"-- keys.out --\n{\"at\":\"<time>\",\"keys\":[\"a\"]}\nexit status 3\n",
		"serving http://127.0.0.1:8080    Ctrl-C stops\nstopped\n",
		"[A3.1]  Run                  <took>\n",
	} {
		if !strings.Contains(string(src), want) {
			t.Errorf("the transcript should hold\n%s\nbut holds\n%s", want, src)
		}
	}
	if out, ok := play(t, w, false); !ok {
		t.Errorf("playing what was recorded failed:\n%s", out)
	}
}

func TestADifferenceIsShown(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, "docs/transcripts/stage1.txtar", "-- twice.out --\n", "-- twice.out --\nall is well\n")
	sample.Edit(t, w, "docs/transcripts/stage1.txtar", "show first\n", "")
	out, ok := play(t, w, false)
	if ok || !strings.Contains(out, "-all is well") {
		t.Errorf("a command that prints something else should fail with both texts; got\n%s", out)
	}
}

func TestAServerThatEndsAtOnceIsShownWithItsLog(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, "docs/transcripts/stage1.txtar", "serve stage1\n", "serve stage1 --no-such-flag\n")
	out, ok := play(t, w, false)
	if ok || !strings.Contains(out, "flag provided but not defined") {
		t.Errorf("the server's own words should be shown; got\n%s", out)
	}
}

var update = os.Getenv("UPDATE") != ""

// TestTranscripts plays what the chapters show; UPDATE=1 records it.
func TestTranscripts(t *testing.T) {
	w, err := tree.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	files, err := see.Files(w, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("there are no transcripts yet")
	}
	p := see.Player{Tree: w, Bin: t.TempDir(), Update: update}
	testscript.Run(t, p.Params(files))
}
