package documents_test

import (
	"os/exec"
	"testing"

	"example.com/kube-apiserver/stage3-storage/wire/documents"
)

func TestWhatTheScreenSaysToTypeCanBeTyped(t *testing.T) {
	for _, path := range []string{"/tmp/data/kubeconfig", "/tmp/my data/kubeconfig", "/tmp/it's mine; $HOME/`x`/kubeconfig", "/tmp/数据/kubeconfig"} {
		out, err := exec.Command("sh", "-c", documents.Export(path)+`; printf %s "$KUBECONFIG"`).CombinedOutput()
		if err != nil || string(out) != path {
			t.Errorf("the shell should set KUBECONFIG to %q and sets %q: %v", path, out, err)
		}
	}
	if got, want := documents.Export("/tmp/data/kubeconfig"), "export KUBECONFIG=/tmp/data/kubeconfig"; got != want {
		t.Errorf("a path without special characters needs no quotes, got %s", got)
	}
}
