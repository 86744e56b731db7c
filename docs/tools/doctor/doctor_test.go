package doctor_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/docs/tools/doctor"
)

// workspace has one stage; requires goes into its go.mod, code into its only file.
func workspace(t *testing.T, requires, code string) *doctor.Machine {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.work":            "go 1.26.0\n\nuse ./stage1-main\n",
		"README.md":          "# Sample\n",
		"stage1-main/go.mod": "module example.com/stage1\n\ngo 1.26.0\n" + requires,
		"stage1-main/m.go":   "package main\n" + code,
	} {
		file := filepath.Join(root, name)
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "")
	return &doctor.Machine{Root: root, Lang: "en", Ports: []int{}}
}

// tools leaves only these on the PATH.
func tools(t *testing.T, names ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		real, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("this machine has no %s itself", name)
		}
		if err := os.Symlink(real, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	t.Setenv("PATH", dir)
}

const main = "func main() {}\n"

func examine(t *testing.T, m *doctor.Machine, bad int, says ...string) {
	t.Helper()
	var out bytes.Buffer
	m.Out = &out
	got := m.Examine()
	last := fmt.Sprintf("NOT READY %d\n", bad)
	if bad == 0 {
		last = "READY\n"
	}
	if got != bad || !strings.HasSuffix(out.String(), "\n"+last) {
		t.Errorf("%d things are not in order, want %d and %q as the last line:\n%s", got, bad, last, out.String())
	}
	for _, s := range says {
		if !strings.Contains(out.String(), s) {
			t.Errorf("it should say %q and says\n%s", s, out.String())
		}
	}
}

func TestAMachineWithEverythingIsReady(t *testing.T) {
	m := workspace(t, "", main)
	tools(t, "go", "make", "curl", "git", "df")
	examine(t, m, 0, "OK    curl", "OK    modules    everything builds without network", "note  kubectl    not here; curl will do")
}

func TestAMissingToolIsRedAndSaysWhatToType(t *testing.T) {
	m := workspace(t, "", main)
	tools(t, "go", "make", "git", "df")
	examine(t, m, 1, "NO    curl       curl is missing: ", "install curl")
}

func TestAMachineWithoutGoIsToldWhereToGetIt(t *testing.T) {
	m := workspace(t, "", main)
	tools(t, "make", "curl", "git", "df")
	examine(t, m, 1, "NO    go         is missing: install Go 1.26.0 or later from https://go.dev/dl")
}

func TestChineseIsSpokenToo(t *testing.T) {
	m := workspace(t, "", main)
	m.Lang = "zh"
	tools(t, "make", "curl", "git", "df")
	examine(t, m, 1, "请从 https://golang.google.cn/dl 安装 Go 1.26.0")
}

func TestAGoThatIsTooOldIsRed(t *testing.T) {
	m := workspace(t, "", main)
	os.WriteFile(filepath.Join(m.Root, "go.work"), []byte("go 1.99.0\n"), 0o644)
	tools(t, "go", "make", "curl", "git", "df")
	examine(t, m, 1, "older than 1.99.0")
}

func TestSettingsInTheWayAreNamed(t *testing.T) {
	for name, value := range map[string]string{"GOFLAGS": "-mod=vendor", "GOWORK": "off"} {
		t.Run(name, func(t *testing.T) {
			m := workspace(t, "", main)
			t.Setenv(name, value)
			tools(t, "go", "make", "curl", "git", "df")
			var out bytes.Buffer
			m.Out = &out
			if m.Examine() == 0 || !strings.Contains(out.String(), fmt.Sprintf("%s=%s is in the way: type  unset %[1]s; go env -u %[1]s", name, value)) {
				t.Errorf("%s=%s should be red, with what to type:\n%s", name, value, out.String())
			}
		})
	}
}

func TestATakenPortIsRed(t *testing.T) {
	m := workspace(t, "", main)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	m.Ports = []int{l.Addr().(*net.TCPAddr).Port}
	tools(t, "go", "make", "curl", "git", "df")
	examine(t, m, 1, "is taken: lsof -i :", "ARGS=--insecure-port=8081")
}

func TestWindowsLineEndingsAreRed(t *testing.T) {
	m := workspace(t, "", main)
	os.WriteFile(filepath.Join(m.Root, "README.md"), []byte("# Sample\r\n"), 0o644)
	tools(t, "go", "make", "curl", "git", "df")
	examine(t, m, 1, "README.md has Windows line endings: type  git config core.autocrlf false")
}

const (
	lacking = "\nrequire github.com/spf13/pflag v1.0.5\n"
	uses    = "import _ \"github.com/spf13/pflag\"\nfunc main() {}\n"
)

// emptyCache is a machine that has downloaded nothing.
func emptyCache(t *testing.T, proxy string) {
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOPROXY", proxy)
	t.Setenv("GONOSUMDB", "*")
}

func TestAProxyThatCannotBeReachedIsNamedWithItsVariable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	proxy := "http://" + l.Addr().String()
	m := workspace(t, lacking, uses)
	writeSum(t, m)
	tools(t, "go", "make", "curl", "git", "df")
	emptyCache(t, proxy)
	examine(t, m, 1, "GOPROXY="+proxy+" does not answer", "make prefetch PACK=")
}

func TestAProxyThatAnswersNeedsAPrefetch(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	m := workspace(t, lacking, uses)
	writeSum(t, m)
	tools(t, "go", "make", "curl", "git", "df")
	emptyCache(t, s.URL)
	examine(t, m, 1, "the proxy answers: type  make prefetch")
	t.Setenv("GOPROXY", "off")
	examine(t, workspaceOf(m), 1, "GOPROXY=off: type  unset GOPROXY")
}

func TestCodeThatDoesNotCompileIsNoFaultOfTheProxy(t *testing.T) {
	m := workspace(t, "", "func main() { gone() }\n")
	tools(t, "go", "make", "curl", "git", "df")
	examine(t, m, 1, "all modules are here, but go list", "undefined: gone")
}

func workspaceOf(m *doctor.Machine) *doctor.Machine {
	return &doctor.Machine{Root: m.Root, Lang: m.Lang, Ports: m.Ports}
}

// writeSum is what go asks for before it asks the proxy.
func writeSum(t *testing.T, m *doctor.Machine) {
	t.Helper()
	sum := "github.com/spf13/pflag v1.0.5 h1:iy+VFUOCP1a+8yFto/drg2CJ5u0yRoB7fZw3DKv/JXA=\n" +
		"github.com/spf13/pflag v1.0.5/go.mod h1:McXfInJRrz4CZXVZOBLb0bTZqETkiAhM9Iw0y3An2Bg=\n"
	if err := os.WriteFile(filepath.Join(m.Root, "stage1-main/go.sum"), []byte(sum), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A pack made from what this machine has downloaded builds the same workspace
// where nothing is downloaded and nothing can be reached.
func TestAPackStandsInForTheNetwork(t *testing.T) {
	root := doctor.Above("../../..")
	version, sum := "", ""
	mod, _ := os.ReadFile(filepath.Join(root, "stage1-main/go.mod"))
	for line := range strings.Lines(string(mod)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "require github.com/spf13/pflag "); ok {
			version = rest
		}
	}
	src, _ := os.ReadFile(filepath.Join(root, "stage1-main/go.sum"))
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "github.com/spf13/pflag "+version) {
			sum += line
		}
	}
	m := workspace(t, "\nrequire github.com/spf13/pflag "+version+"\n", uses)
	if err := os.WriteFile(filepath.Join(m.Root, "stage1-main/go.sum"), []byte(sum), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	m.Out = &out
	pack := filepath.Join(t.TempDir(), "pack")
	if err := m.Pack(pack); err != nil {
		t.Fatalf("the modules of this machine cannot be packed: %v", err)
	}
	emptyCache(t, "off")
	t.Setenv("GOFLAGS", "-modcacherw")
	if err := m.Prefetch(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is no pack") {
		t.Errorf("an empty folder is taken for a pack: %v", err)
	}
	if err := m.Prefetch(pack); err != nil {
		t.Errorf("the pack should be enough: %v", err)
	}
	examine(t, m, 0, "everything builds without network")
}
