package bench_test

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/kube-apiserver/stage1-main/process/signals"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage5-serve/app"
	"example.com/kube-apiserver/stage5-serve/flags"
	"github.com/spf13/pflag"
)

// TestMain lets the test binary be the measured process: a whole server, or
// the static one.
func TestMain(m *testing.M) {
	switch os.Getenv("BENCH_ROLE") {
	case "server":
		openControl()
		s := app.NewServerRunOptions()
		s.AddFlags(pflag.CommandLine)
		flags.AddFlags(s)
		flagtable.AddFlags(s.ServerRunOptions, pflag.CommandLine)
		pflag.Parse()
		if err := app.Run(s, signals.SetupSignalHandler()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "static":
		openControl()
		s := httptest.NewUnstartedServer(&static{watchers: map[chan<- []byte]bool{}})
		s.EnableHTTP2 = true
		s.StartTLS()
		fmt.Fprintln(os.Stderr, "serving", s.URL)
		select {} // until it is killed
	default:
		os.Exit(m.Run())
	}
}

// usage is what a process has used by now.
type usage struct {
	CPU  time.Duration
	Heap uint64 // bytes that the runtime has from the system
}

// openControl lets the parent ask for the usage, and for a profile of the time
// between two questions.
func openControl() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var profile *os.File
	http.HandleFunc("/usage", func(w http.ResponseWriter, req *http.Request) {
		pprof.StopCPUProfile()
		profile.Close() // without one it says so, and that is all
		if path := req.URL.Query().Get("profile"); path != "" {
			if profile, err = os.Create(path); err == nil {
				pprof.StartCPUProfile(profile)
			}
		}
		var r syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &r)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		json.NewEncoder(w).Encode(usage{time.Duration(r.Utime.Nano() + r.Stime.Nano()), m.Sys - m.HeapReleased})
	})
	go http.Serve(ln, nil) // ends with the process
	fmt.Fprintln(os.Stderr, "control", "http://"+ln.Addr().String())
}

// process is a server that is measured.
type process struct {
	url, control string
	client       *http.Client
	cmd          *exec.Cmd
	took         time.Duration // from the start until it was ready
}

// start runs a server with its data in folder until the benchmark ends.
func start(tb testing.TB, role, folder string) *process {
	tb.Helper()
	tokens := filepath.Join(folder, "tokens.csv")
	if err := os.WriteFile(tokens, []byte(`admintoken,admin,admin,"system:masters"`+"\n"), 0o600); err != nil {
		tb.Fatal(err)
	}
	began := time.Now()
	p := &process{cmd: exec.CommandContext(tb.Context(), os.Args[0],
		"--secure-port=0", "--bbolt-file="+filepath.Join(folder, "state.db"), "--cert-dir="+filepath.Join(folder, "certs"),
		"--token-auth-file="+tokens, "--authorization-mode=RBAC", "--disable-admission-plugins=ServiceAccount", "--controllers=")}
	p.cmd.Env = append(os.Environ(), "BENCH_ROLE="+role)
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	said := ""
	for lines := bufio.NewScanner(stderr); p.url == "" && lines.Scan(); {
		said += lines.Text() + "\n"
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == "control" {
			p.control = words[1]
		} else if len(words) > 1 && words[0] == "serving" {
			p.url = words[1]
		}
	}
	if p.url == "" {
		tb.Fatalf("the %s ended before it served:\n%s", role, said)
	}
	go io.Copy(io.Discard, stderr) // ends with the process
	p.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true, DisableCompression: true}}
	for code := 0; role == "server" && code != http.StatusOK; {
		code, _ = p.do(tb, "GET", "/readyz", "")
	}
	p.took = time.Since(began)
	tb.Cleanup(p.stop)
	return p
}

// stop ends the server and waits for its end. Once more does no harm.
func (p *process) stop() {
	p.client.CloseIdleConnections()
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.cmd.Wait() // its end is not what is measured
}

// do sends a request and reads the whole answer.
func (p *process) do(tb testing.TB, method, path, body string) (int, []byte) {
	req, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer admintoken")
	req.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/merge-patch+json")
	}
	resp, err := p.client.Do(req)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return resp.StatusCode, answer
}

// must is do for an answer that is wanted.
func (p *process) must(tb testing.TB, method, path, body string) []byte {
	code, answer := p.do(tb, method, path, body)
	if code >= 300 {
		tb.Fatalf("%s %s: %d %.300s", method, path, code, answer)
	}
	return answer
}

// usage asks for the usage, and starts a profile if path is not "".
func (p *process) usage(tb testing.TB, path string) (u usage) {
	resp, err := http.Get(p.control + "/usage?profile=" + url.QueryEscape(path))
	if err == nil {
		err = json.NewDecoder(resp.Body).Decode(&u)
		resp.Body.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return u
}
