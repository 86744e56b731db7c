package app_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kube-apiserver/stage1-main/startup"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage3-storage/app"
	"github.com/spf13/pflag"
)

// screen is where the server writes its start-up lines; it tells when it serves.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
	url  chan string
}

var serving = regexp.MustCompile(`^serving (http://\S+)`)

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	if m := serving.FindStringSubmatch(string(p)); m != nil {
		s.url <- m[1]
	}
	return len(p), nil
}

// run starts stage 3 on a folder and a free port; stop stops it in order.
func run(t testing.TB, folder string, args ...string) (url string, out *screen, stop func()) {
	t.Helper()
	s := options.NewServerRunOptions()
	out = &screen{url: make(chan string, 1)}
	s.Startup = startup.New(out)
	fs := pflag.NewFlagSet("stage3", pflag.ContinueOnError)
	s.AddFlags(fs)
	flagtable.AddFlags(s, fs)
	if err := fs.Parse(append(args, "--bbolt-file="+filepath.Join(folder, "state.db"))); err != nil {
		t.Fatal(err)
	}
	s.InsecureServing.BindPort = freePort(t)
	stopCh, result := make(chan struct{}), make(chan error, 1)
	go func() { result <- app.Run(s, stopCh) }()
	select {
	case url = <-out.url:
	case err := <-result:
		t.Fatalf("the server ended before it served: %v\n%s", err, out.text.String())
	}
	return url, out, func() {
		close(stopCh)
		if err := <-result; err != nil {
			t.Errorf("the server did not stop in order: %v", err)
		}
	}
}

func TestTheStartIsToldInTheOrderOfTheArticle(t *testing.T) {
	_, out, stop := run(t, t.TempDir())
	stop()
	last := -1
	for _, step := range []string{"[A3.2]  CreateNodeDialer", "[A3.5]  defaultOptions", "[A3.6]  Validate", "[A3.4]  admission", "[A3.8]  master.Config", "[A3.9]  CreateKubeAPIServer", "[A3.10] NewLegacyRESTStorage"} {
		at := strings.Index(out.text.String(), step)
		if at < last || at < 0 {
			t.Errorf("the line %q is missing or out of order in\n%s", step, out.text.String())
		}
		last = at
	}
}

func TestKubectlStoryOverPlainHTTP(t *testing.T) {
	if _, err := exec.LookPath("kubectl"); err != nil {
		if os.Getenv("NEED_KUBECTL") != "" {
			t.Fatal("kubectl is needed here and not installed")
		}
		t.Skip("kubectl is not installed: its story is not told")
	}
	folder := t.TempDir()
	_, _, stop := run(t, folder)
	says := func(line, want string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, "kubectl", strings.Fields(line)...)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(folder, "kubeconfig"), "HOME="+folder)
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), want) {
			t.Errorf("kubectl %s must say %q, it said\n%s", line, want, out)
		}
	}
	says("create namespace one", "namespace/one created")
	says("create configmap hello --from-literal=k=v", "configmap/hello created")
	says("run web --image=nginx:1", "pod/web created")
	says("get pods", "web    0/1     Pending   0")
	says("label pod web tier=x", "labeled")
	says("scale rc nosuch --replicas=1", `"nosuch" not found`)
	says("get configmaps -w", "stage 4 brings it")
	says("delete pod web --wait=false", `pod "web" deleted`)
	stop()

	_, _, stop = run(t, folder) // the same file
	defer stop()
	says("get configmap hello -o jsonpath={.data.k}", "v")
	says("get namespace one", "Active")
}
