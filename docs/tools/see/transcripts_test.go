package see_test

import (
	"testing"

	"example.com/kube-apiserver/docs/tools/see"
	"example.com/kube-apiserver/docs/tools/tree"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestTranscriptsSayWhatHappens plays every transcript that the chapters show.
func TestTranscriptsSayWhatHappens(t *testing.T) {
	w, err := tree.Find("../../..")
	if err != nil {
		t.Fatal(err)
	}
	p := see.Player{Tree: w, Bin: t.TempDir()}
	for _, s := range w.Stages {
		files, err := see.Files(w, s.N)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) > 0 {
			testscript.Run(t, p.Params(files))
		}
	}
}
