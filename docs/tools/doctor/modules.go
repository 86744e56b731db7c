package doctor

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// folders are those with a go.mod that a learner builds from.
func (m *Machine) folders() []string {
	dirs, _ := filepath.Glob(filepath.Join(m.Root, "stage[0-9]*"))
	return append(dirs, filepath.Join(m.Root, "docs", "tools"))
}

// goIn runs go in each folder as a module of its own, and stops at the first error.
func (m *Machine) goIn(env []string, args ...string) (string, error) {
	for _, dir := range m.folders() {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			continue
		}
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "GOWORK=off"), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return string(out), fmt.Errorf("go %s in %s: %w", strings.Join(args, " "), filepath.Base(dir), err)
		}
	}
	return "", nil
}

// everything compiles all packages and their tests without running any.
var everything = []string{"list", "-test", "-export", "./..."}

// modules shows that all builds without network. If not, it looks for the
// reason: a proxy that cannot be reached is another fault than code that is broken.
func (m *Machine) modules() {
	out, err := m.goIn([]string{"GOPROXY=off"}, everything...)
	if err == nil {
		m.ok("modules", "offline")
		return
	}
	if !strings.Contains(out, "GOPROXY=off") {
		m.red("modules", "no-build", err, firstFault(out))
		return
	}
	proxy, reason := m.proxy()
	switch {
	case proxy == "":
		m.red("modules", "prefetch")
	case proxy == "off":
		m.red("modules", "proxy-off")
	default:
		m.red("modules", "no-proxy", "GOPROXY", proxy, reason)
	}
}

// firstFault is the first line of go's that is not only the name of a package.
func firstFault(out string) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return ""
}

// proxy names what cannot be reached, and why; "" if something answers.
func (m *Machine) proxy() (where, reason string) {
	client := http.Client{Timeout: patience}
	for _, p := range strings.FieldsFunc(m.env["GOPROXY"], func(r rune) bool { return r == ',' || r == '|' }) {
		where = p
		if p == "direct" {
			return "", "" // nobody can tell without asking every host
		}
		u, err := url.Parse(p)
		if err != nil || u.Scheme == "" {
			reason = "not a URL"
			continue
		}
		if u.Scheme == "file" {
			if _, err := os.Stat(filepath.FromSlash(u.Path)); err != nil {
				reason = err.Error()
				continue
			}
			return "", ""
		}
		resp, err := client.Get(strings.TrimSuffix(p, "/") + "/github.com/spf13/pflag/@v/list")
		if err != nil {
			return where, err.Error() // go would stop here, too, unless the next is behind "|"
		}
		resp.Body.Close()
		if resp.StatusCode < 500 && resp.StatusCode != http.StatusProxyAuthRequired {
			return "", ""
		}
		return where, resp.Status
	}
	return where, reason
}

// Prefetch brings all modules here and builds all packages and tests once. A
// pack, made by Pack, stands in for the network.
func (m *Machine) Prefetch(pack string) error {
	var env []string
	if pack != "" {
		abs, err := filepath.Abs(pack)
		if err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(abs, "github.com")); err != nil {
			return fmt.Errorf("%s", m.say("no-pack", pack))
		}
		env = []string{"GOPROXY=" + fileURL(abs) + ",off", "GONOSUMDB=*"}
	}
	for _, args := range [][]string{{"mod", "download"}, everything} {
		fmt.Fprintln(m.Out, "go", strings.Join(args, " "))
		if out, err := m.goIn(env, args...); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	fmt.Fprintln(m.Out, m.say("fetched"))
	return nil
}

func fileURL(abs string) string {
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(abs), "/")}).String()
}

// Pack copies the modules that are needed, and no others, into a folder that
// can be carried to another machine: it has the form of a module proxy.
func (m *Machine) Pack(dir string) error {
	have, err := output("go", "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	proxies, err := output("go", "env", "GOPROXY")
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "pack")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	env := []string{"GOMODCACHE=" + scratch, "GOFLAGS=-modcacherw", "GONOSUMDB=*",
		"GOPROXY=" + fileURL(filepath.Join(have, "cache", "download")) + "," + proxies}
	if out, err := m.goIn(env, "mod", "download"); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(scratch, "cache", "download"))); err != nil {
		return err
	}
	fmt.Fprintln(m.Out, m.say("packed", dir))
	return nil
}
