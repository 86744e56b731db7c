package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets the test binary be the program: a child process with this
// variable set runs the real main.
func TestMain(m *testing.M) {
	if os.Getenv("RUN_MAIN") == "1" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// runMain runs main in a folder until it ends by itself.
func runMain(t *testing.T, folder string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env, cmd.Dir = append(os.Environ(), "RUN_MAIN=1"), folder
	var out, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errors
	return exitCode(cmd.Run()), out.String(), errors.String()
}

func exitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

func TestFourProblemsAreOneMessage(t *testing.T) {
	folder := t.TempDir()
	code, stdout, stderr := runMain(t, folder, "--secure-port=70000", "--insecure-port=-1", "--service-cluster-ip-range=10.0.0.0/8", "--apiserver-count=0")
	message := `[--service-cluster-ip-range=10.0.0.0/8: too large; give a mask of /12 or longer,
 --secure-port=70000: want a port from 1 to 65535, or 0 for any free one,
 --insecure-port=-1: want a port from 1 to 65535, or 0 to serve no plain HTTP,
 --apiserver-count=0: not a positive number; give 1 or more]
`
	if code != 1 || stdout != "" || !strings.HasSuffix(stderr, message) {
		t.Errorf("got code %d, stdout %q, stderr\n%s\nwant code 1, nothing on stdout, and at the end of stderr\n%s", code, stdout, stderr, message)
	}
	if rest, _ := os.ReadDir(folder); len(rest) != 0 {
		t.Errorf("nothing may be written before everything is checked, there is %v", rest)
	}
}

func TestExitCodesAreThoseOf17(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		line string
		code int
		says string // the beginning of stderr's last line
	}{
		{"--nope", 2, "unknown flag: --nope"},
		{"--secure-port=x", 2, `invalid argument "x" for "--secure-port" flag: `},
		{"-version", 2, `invalid argument "ersion" for "-v, --v" flag: `},
		{"stray", 2, `["stray"] belongs to no flag`},
		{"--apiserver-count=0", 1, "--apiserver-count=0: "},
		{"--oidc-issuer-url=https://issuer", 1, "--oidc-issuer-url=https://issuer: "},
		{"--bbolt-file=.", 1, "--bbolt-file=.: not a file"},
		{"--ssh-user=core --ssh-keyfile=missing/id --insecure-port=0", 1, "open SSH tunnels: "},
		{"--admission-control-config-file=missing.yaml", 1, "--admission-control-config-file=missing.yaml: "},
	} {
		code, _, stderr := runMain(t, folder, strings.Fields(c.line)...)
		lines := strings.Split(strings.TrimSpace(stderr), "\n")
		if last := lines[len(lines)-1]; code != c.code || !strings.HasPrefix(last, c.says) {
			t.Errorf("%s: code %d and %q, want code %d and %q", c.line, code, last, c.code, c.says)
		}
	}
}

func TestDryRunPrintsTheConfigurationAndTouchesNothing(t *testing.T) {
	folder := t.TempDir()
	code, stdout, stderr := runMain(t, folder, "--dry-run", "-o", "json", "--ssh-user=core", "--ssh-keyfile=id", "--cloud-provider=aws", "--etcd-servers=http://127.0.0.1:2379")
	var settings []struct{ Flag, Value, From string }
	if err := json.Unmarshal([]byte(stdout), &settings); err != nil || code != 0 {
		t.Fatalf("stdout is to be JSON and nothing else: code %d, %v\n%s", code, err, stdout)
	}
	found := map[string]string{}
	for _, s := range settings {
		found[s.Flag] = s.Value + " " + s.From
	}
	for flag, want := range map[string]string{
		"--ssh-user": "core flag", "--secure-port": "6443 default", "--service-cluster-ip-range": "10.0.0.0/24 derived", "--cloud-provider": "aws flag",
	} {
		if found[flag] != want {
			t.Errorf("%s is %q, want %q", flag, found[flag], want)
		}
	}
	for _, want := range []string{"--cloud-provider=aws has no effect", "--etcd-servers has no effect with --storage-backend=bbolt"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr must warn of the flag that does nothing, with %q:\n%s", want, stderr)
		}
	}
	if rest, _ := os.ReadDir(folder); len(rest) != 0 {
		t.Errorf("a dry run leaves nothing behind, there is %v", rest)
	}
}

func TestDryRunDoesNotNeedTheStore(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "state.db"), 0o700); err != nil { // no file, so the server could not start
		t.Fatal(err)
	}
	if code, stdout, stderr := runMain(t, folder, "--dry-run"); code != 0 || !strings.HasPrefix(stdout, "FLAG ") {
		t.Errorf("code %d, stdout %q, stderr\n%s", code, stdout, stderr)
	}
}

func TestHelpGoesToStdout(t *testing.T) {
	code, stdout, stderr := runMain(t, t.TempDir(), "--help")
	if code != 0 || stderr != "" || !strings.HasPrefix(stdout, "Usage: ") {
		t.Errorf("help was asked for: code %d, stdout begins %.40q, stderr %q", code, stdout, stderr)
	}
	for _, hidden := range []string{"--insecure-port", "--portal-net", "--storage-version "} {
		if strings.Contains(stdout, hidden) {
			t.Errorf("%s is not to be listed", hidden)
		}
	}
}
