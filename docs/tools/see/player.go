package see

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"example.com/kube-apiserver/docs/tools/holes"
	"example.com/kube-apiserver/docs/tools/tree"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// Player plays transcripts.
type Player struct {
	Tree   *tree.Tree
	Bin    string                         // folder for the built stages
	Dirs   func(s tree.Stage) string      // where to build a stage from; nil: the tree
	Update bool                           // record what is printed
	Aloud  func(command string) io.Writer // called before each command; gets what it prints

	mu    sync.Mutex // guards built
	built map[int]string
}

// Dir is where the transcripts are, below the root.
const Dir = "docs/transcripts"

// Files are the transcripts of a stage, or of all for 0.
func Files(t *tree.Tree, n int) ([]string, error) {
	pattern := "stage*.txtar"
	if n > 0 {
		pattern = fmt.Sprintf("stage%d*.txtar", n)
	}
	return filepath.Glob(filepath.Join(t.Abs(Dir), pattern))
}

// Params are for testscript.Run.
func (p *Player) Params(files []string) testscript.Params {
	return testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve": serve, "show": show, "restart": restart, "interrupt": interrupt,
		},
		Setup: func(e *testscript.Env) error {
			s := &session{p: p, dir: e.WorkDir, recorded: map[string]string{}}
			e.Values[key{}] = s
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("KUBECONFIG", filepath.Join(e.WorkDir, "no-server-yet"))
			if os.Getenv("NEED_KUBECTL") != "" {
				if _, err := exec.LookPath("kubectl"); err != nil {
					return fmt.Errorf("NEED_KUBECTL is set, but kubectl is not on this machine")
				}
			}
			e.Defer(s.end)
			return nil
		},
	}
}

type key struct{}

// session is one transcript that is being played.
type session struct {
	p        *Player
	dir      string
	stage    tree.Stage
	bin      string
	flags    []string
	srv      *Server
	log      string // of servers that have ended
	file     string // the transcript's name without .txtar
	recorded map[string]string
}

func of(ts *testscript.TestScript) *session {
	s := ts.Value(key{}).(*session)
	s.file = ts.Name()
	return s
}

// serve stage3 [flags]
func serve(ts *testscript.TestScript, neg bool, args []string) {
	s := of(ts)
	if neg || len(args) == 0 || s.srv != nil {
		ts.Fatalf("usage: serve stage3 [flags], once until interrupt")
	}
	n, err := strconv.Atoi(strings.TrimPrefix(args[0], "stage"))
	ts.Check(err)
	s.stage, err = s.p.Tree.Stage(n)
	ts.Check(err)
	s.bin, err = s.p.build(s.stage)
	ts.Check(err)
	ts.Check(os.MkdirAll(filepath.Join(s.dir, "bin"), 0o755))
	ts.Check(os.Symlink(s.bin, filepath.Join(s.dir, "bin", s.stage.Dir))) // where make has it
	s.flags = args[1:]
	if k := Kubeconfig(n); k != "" {
		ts.Setenv("KUBECONFIG", filepath.Join(s.dir, filepath.FromSlash(k)))
	}
	s.start(ts)
}

func (p *Player) build(s tree.Stage) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if bin := p.built[s.N]; bin != "" {
		return bin, nil
	}
	dir := p.Tree.Abs(s.Dir)
	if p.Dirs != nil {
		dir = p.Dirs(s)
	}
	bin, err := Build(context.Background(), dir, p.Bin)
	if err != nil {
		return "", err
	}
	if p.built == nil {
		p.built = map[int]string{}
	}
	p.built[s.N] = bin
	return bin, nil
}

func (s *session) start(ts *testscript.TestScript) {
	var err error
	s.srv, err = Start(context.Background(), s.stage, s.bin, s.dir, s.aloud("make stage"+fmt.Sprint(s.stage.N)), s.flags...)
	ts.Check(err)
}

func (s *session) aloud(command string) io.Writer {
	if s.p.Aloud == nil {
		return io.Discard
	}
	return s.p.Aloud(command)
}

// restart
func restart(ts *testscript.TestScript, neg bool, args []string) {
	s := of(ts)
	s.halt(ts)
	s.start(ts)
}

func (s *session) halt(ts *testscript.TestScript) {
	if s.srv == nil {
		ts.Fatalf("no server runs; serve one first")
	}
	err := s.srv.Stop()
	s.log += s.text(s.srv.Log())
	s.srv = nil
	if err != nil {
		ts.Fatalf("the server ended badly: %v\n%s", err, s.log)
	}
}

// interrupt
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	s := of(ts)
	s.halt(ts)
	if _, err := os.Stat(filepath.Join(s.dir, "server.out")); err == nil {
		s.compare(ts, "server", s.log)
	}
	s.log = ""
}

// show NAME
func show(ts *testscript.TestScript, neg bool, args []string) {
	s := of(ts)
	if neg || len(args) != 1 {
		ts.Fatalf("usage: show NAME, with a file NAME.cmd")
	}
	command := ts.ReadFile(args[0] + ".cmd")
	out := s.aloud(strings.TrimRight(command, "\n"))
	if s.srv != nil {
		command = strings.ReplaceAll(command, "127.0.0.1:"+setups[s.stage.N].port, s.host())
	}
	var printed bytes.Buffer
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "HOME="+s.dir, "KUBECONFIG="+ts.Getenv("KUBECONFIG"))
	cmd.Stdout = io.MultiWriter(&printed, out)
	cmd.Stderr = cmd.Stdout
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(cmd.Stdout, err)
	}
	s.compare(ts, args[0], s.text(printed.String()))
}

func (s *session) host() string {
	u, err := url.Parse(s.srv.URL)
	if err != nil {
		return s.srv.URL
	}
	return u.Host
}

// text makes of what was printed what is recorded: the port that readers see,
// and holes.
func (s *session) text(printed string) string {
	port := setups[s.stage.N].port
	if s.srv != nil {
		printed = strings.ReplaceAll(printed, s.host(), "127.0.0.1:"+port)
	}
	printed = strings.ReplaceAll(printed, s.dir, "<dir>")
	for _, ip := range own() {
		printed = fit(printed, ip, "<ip>")
	}
	if printed = holes.Fill(printed, port); printed != "" && !strings.HasSuffix(printed, "\n") {
		printed += "\n"
	}
	return printed
}

// own are the addresses of this machine that others see.
func own() (ips []string) {
	addrs, _ := net.InterfaceAddrs()
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			ips = append(ips, n.IP.String())
		}
	}
	return ips
}

// fit replaces old by new in whole words and keeps what follows in its column.
func fit(text, old, new string) string {
	word := regexp.MustCompile(`(^|[^0-9a-f.:])` + regexp.QuoteMeta(old) + `(  +|\b)`)
	return word.ReplaceAllStringFunc(text, func(s string) string {
		m := word.FindStringSubmatch(s)
		if m[2] != "" {
			m[2] += strings.Repeat(" ", max(len(old)-len(new), 0))
		}
		return m[1] + new + m[2]
	})
}

func (s *session) compare(ts *testscript.TestScript, name, got string) {
	if s.p.Update {
		s.recorded[name+".out"] = got
		return
	}
	want, err := os.ReadFile(filepath.Join(s.dir, name+".out"))
	if err != nil {
		ts.Fatalf("there is no %s.out; play with -update to record it", name)
	}
	if d := diff.Diff(name+".out as recorded", want, name+".out now", []byte(got)); d != nil {
		ts.Fatalf("%s prints something else than the transcript has:\n%s", name, d)
	}
}

// end stops a server that is still running and writes what was recorded.
func (s *session) end() {
	if s.srv != nil {
		s.srv.Stop() // the script has failed already, or does not care
	}
	if s.p.Update && len(s.recorded) > 0 {
		record(filepath.Join(s.p.Tree.Abs(Dir), s.file+".txtar"), s.recorded)
	}
}

// record puts outputs into a transcript, each after its command.
func record(file string, outs map[string]string) error {
	a, err := txtar.ParseFile(file)
	if err != nil {
		return err
	}
	var files []txtar.File
	for _, f := range a.Files {
		if text, ok := outs[f.Name]; ok {
			f.Data = []byte(text)
			delete(outs, f.Name)
		}
		files = append(files, f)
	}
	a.Files = nil
	for _, f := range files {
		a.Files = append(a.Files, f)
		name := strings.TrimSuffix(f.Name, ".cmd") + ".out"
		if text, ok := outs[name]; ok && name != f.Name {
			a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
			delete(outs, name)
		}
	}
	return os.WriteFile(file, txtar.Format(a), 0o644)
}
