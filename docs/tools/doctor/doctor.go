package doctor

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Machine is what is looked at.
type Machine struct {
	Root  string // of the workspace
	Lang  string // en or zh
	Ports []int  // that must be free; nil is those of the stages
	Out   io.Writer

	env map[string]string // go env
	bad int
}

// room is the disk space that all builds need, in megabytes.
const room = 3000

// Examine prints a line for each thing that a learner needs and says how many
// of them are not in order.
func (m *Machine) Examine() int {
	if m.Ports == nil {
		m.Ports = []int{8080, 6443}
	}
	if m.toolchain() {
		m.settings()
		m.compiler()
	}
	m.tool("make", "make", "--version")
	m.tool("curl", "curl", "--version")
	m.tool("git", "git", "--version")
	m.lineEndings()
	for _, p := range m.Ports {
		m.port(p)
	}
	m.disk()
	m.kubectl()
	if m.env != nil {
		m.modules()
	}
	if m.bad == 0 {
		fmt.Fprintln(m.Out, "READY")
	} else {
		fmt.Fprintf(m.Out, "NOT READY %d\n", m.bad)
	}
	return m.bad
}

func (m *Machine) line(mark, what, key string, args ...any) {
	fmt.Fprintf(m.Out, "%-5s %-10s %s\n", mark, what, m.say(key, args...))
}

func (m *Machine) ok(what, key string, args ...any)   { m.line("OK", what, key, args...) }
func (m *Machine) note(what, key string, args ...any) { m.line("note", what, key, args...) }
func (m *Machine) red(what, key string, args ...any) {
	m.bad++
	m.line("NO", what, key, args...)
}

// output runs a program outside of the workspace, so that no go.work decides.
func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = os.TempDir()
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

var digits = regexp.MustCompile(`\d+`)

// older compares go1.25.3 with 1.26.0.
func older(have, want string) bool {
	a, b := digits.FindAllString(have, 3), digits.FindAllString(want, 3)
	for i := range b {
		x, y := 0, 0
		if i < len(a) {
			x, _ = strconv.Atoi(a[i])
		}
		y, _ = strconv.Atoi(b[i])
		if c := cmp.Compare(x, y); c != 0 {
			return c < 0
		}
	}
	return false
}

func (m *Machine) toolchain() bool {
	want := "1.26"
	if work, err := os.ReadFile(filepath.Join(m.Root, "go.work")); err == nil {
		if v := regexp.MustCompile(`(?m)^go (\S+)`).FindSubmatch(work); v != nil {
			want = string(v[1])
		}
	}
	if _, err := exec.LookPath("go"); err != nil {
		m.red("go", "no-go", want)
		return false
	}
	env := map[string]string{}
	for _, name := range []string{"GOVERSION", "GOFLAGS", "GOTOOLCHAIN", "GOPROXY", "GOMODCACHE", "CGO_ENABLED", "CC"} {
		v, err := output("go", "env", name)
		if err != nil {
			m.red("go", "broken-go", firstLine(v))
			return false
		}
		env[name] = v
	}
	m.env = env
	if older(env["GOVERSION"], want) {
		m.red("go", "old-go", env["GOVERSION"], want, env["GOTOOLCHAIN"])
		return false
	}
	m.ok("go", "have", env["GOVERSION"])
	return true
}

// settings are those that would make a copy of an exercise build differently.
func (m *Machine) settings() {
	for _, part := range []string{"-mod=", "-modfile=", "-overlay="} {
		for _, f := range strings.Fields(m.env["GOFLAGS"]) {
			if strings.HasPrefix(f, part) {
				m.red("settings", "in-the-way", "GOFLAGS", m.env["GOFLAGS"])
				return
			}
		}
	}
	work, err := output("go", "env", "GOWORK")
	if err == nil && work != "" {
		m.red("settings", "in-the-way", "GOWORK", work)
		return
	}
	m.ok("settings", "settings")
}

func (m *Machine) compiler() {
	cc := strings.Fields(m.env["CC"] + " cc")[0]
	if _, err := exec.LookPath(cc); err != nil || m.env["CGO_ENABLED"] != "1" {
		m.note("cgo", "no-cgo", cc)
		return
	}
	m.ok("cgo", "have", cc)
}

func (m *Machine) tool(name string, command ...string) {
	if _, err := exec.LookPath(command[0]); err != nil {
		m.red(name, "no-tool", name, installer(name))
		return
	}
	out, err := output(command[0], command[1:]...)
	if err != nil {
		m.red(name, "broken-tool", strings.Join(command, " "), firstLine(out))
		return
	}
	version, _, _ := strings.Cut(firstLine(out), " (")
	m.ok(name, "have", version)
}

// installer is what to type on this system.
func installer(name string) string {
	switch runtime.GOOS {
	case "darwin":
		if name != "curl" {
			return "xcode-select --install"
		}
		return "brew install curl"
	case "windows":
		return "winget install " + map[string]string{"make": "ezwinports.make", "curl": "cURL.cURL", "git": "Git.Git"}[name]
	}
	return fmt.Sprintf("sudo apt-get install %s (or dnf, pacman, apk)", name)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// lineEndings matter: excerpts and blanks are compared byte for byte.
func (m *Machine) lineEndings() {
	for _, f := range []string{"go.work", "README.md"} {
		if src, err := os.ReadFile(filepath.Join(m.Root, f)); err == nil && strings.Contains(string(src), "\r\n") {
			m.red("endings", "crlf", f)
			return
		}
	}
	m.ok("endings", "lf")
}

func (m *Machine) port(p int) {
	what := fmt.Sprint("port ", p)
	l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", p))
	if err != nil {
		flag := "--insecure-port"
		if p == 6443 {
			flag = "--secure-port"
		}
		m.red(what, "port", p, flag)
		return
	}
	l.Close()
	m.ok(what, "free")
}

func (m *Machine) disk() {
	out, err := exec.Command("df", "-Pk", m.Root).Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	cells := strings.Fields(lines[len(lines)-1])
	if err != nil || len(cells) < 4 {
		m.note("disk", "no-df", room)
		return
	}
	kb, _ := strconv.Atoi(cells[3])
	if kb/1024 < room {
		m.red("disk", "full", kb/1024, room)
		return
	}
	m.ok("disk", "space", kb/1024/1024)
}

// kubectl is optional; a context of another cluster is worth a word.
func (m *Machine) kubectl() {
	if _, err := exec.LookPath("kubectl"); err != nil {
		m.note("kubectl", "no-kubectl")
		return
	}
	out, err := output("kubectl", "version", "--client")
	if err != nil {
		m.note("kubectl", "no-kubectl")
		return
	}
	version := strings.TrimPrefix(firstLine(out), "Client Version: ")
	if context, err := output("kubectl", "config", "current-context"); err == nil {
		m.note("kubectl", "context", version, context)
		return
	}
	m.ok("kubectl", "have", version)
}

// patience is how long a proxy may take to say anything.
const patience = 10 * time.Second
