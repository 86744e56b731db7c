// Lab is the tool of this repository's readers and writers: it checks the
// grammar of comments, cuts and judges exercises, plays transcripts, and fills
// the generated parts of chapters. `lab help` lists its verbs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"example.com/kube-apiserver/docs/tools/lint"
	"example.com/kube-apiserver/docs/tools/tree"
)

// verb is one thing that lab does.
type verb struct {
	name, args, help string
	run              func(c *call) error
}

var verbs = []verb{
	{"comments", "", "check what every package says of its paragraph and its upstream file", comments},
	{"lines", "", "core and reference lines of each stage, against their guides", lines},
	{"path", "3", "the functions of a stage to read, in order, with file and line", readingPath},
	{"steps", "3", "a stage's Examples from the bottom up: code, and what it prints", steps},
	{"diff", "3", "what a stage adds to the ones before it", stageDiff},
	{"see", "3", "play a stage's transcripts (-step: Enter before each; E=3.2: with your copy; -update records)", play},
	{"erratum", "E8", "an error of the article: guess, then see it run", erratum},
	{"exercise", "3.2 | 3", "cut an exercise, or all of a stage, into a copy to work on (-kind=debug: find the bug)", exercise},
	{"check", "3.2 | 3", "run its tests on your copy and say what came of it", check},
	{"try", "3.2 | 3", "run the server of your copy on a free port, with data of its own", try},
	{"hint", "3.2", "the next hint, or -n=1 to 3", hint},
	{"solution", "3.2", "the difference between yours and the reference (-yes: untried)", solution},
	{"reset", "3.2 | 3", "begin anew and keep a backup", reset},
	{"progress", "", "what is done and what comes next", progress},
	{"docs", "", "fill the blocks of all pages: excerpts, tables, boxes, what you should see", docs},
	{"docs-check", "", "check all pages: stale, dead, lagging, telling", docsCheck},
	{"i18n-ok", "[PAGE SECTION]", "accept sections changed in both languages, or this one", i18nOK},
	{"plan", "90min [09:00]", "a run sheet of the workshop with clock times", plan},
	{"doctor", "", "is this machine ready? each line says OK or what to type", machine("doctor")},
	{"prefetch", "[PACK]", "bring all modules here, from the network or from a pack, and build everything once", machine("prefetch")},
	{"pack", "[PACK]", "write all modules into a folder for machines without network", machine("pack")},
	{"verify", "[3.2 …]", "prove the exercises: gates G1 to G10 (-update records what blanks say)", verify},
}

// call is one use of a verb.
type call struct {
	args []string
	in   io.Reader
	out  io.Writer

	root, lang, kind  string
	yes, update, step bool
	grade, count      int
	timeout           time.Duration
}

// flags are those of all verbs; the ones that make passes on come from its
// variables too (make exercise E=3.2 L=zh).
func (c *call) flags(fs *flag.FlagSet) {
	fs.StringVar(&c.root, "root", "", "the workspace's folder (default: the one around this folder)")
	fs.StringVar(&c.lang, "lang", language(), "en or zh (make: L=)")
	fs.StringVar(&c.kind, "kind", os.Getenv("KIND"), "debug: begin an exercise with a known wrong answer (make: KIND=)")
	fs.IntVar(&c.grade, "n", number(os.Getenv("H")), "which hint (make: H=)")
	fs.BoolVar(&c.yes, "yes", os.Getenv("YES") != "", "do it all the same (make: YES=1)")
	fs.BoolVar(&c.step, "step", os.Getenv("STEP") != "", "wait for Enter before each command (make: STEP=1)")
	fs.BoolVar(&c.update, "update", false, "write what was found instead of comparing")
	fs.DurationVar(&c.timeout, "timeout", time.Minute, "how long a package's tests may take")
	fs.IntVar(&c.count, "count", 1, "how often verify runs the reference")
}

func language() string {
	for _, name := range []string{"L", "LANG"} {
		if v := os.Getenv(name); v != "" {
			if strings.HasPrefix(v, "zh") {
				return "zh"
			}
			return "en"
		}
	}
	return "en"
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// arg is the argument at i, or else make's variable.
func (c *call) arg(i int, variable string) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return os.Getenv(variable)
}

// failed is an exit code without a further message.
type failed int

func (f failed) Error() string { return fmt.Sprintf("exit code %d", int(f)) }

// Exit codes of every verb.
const (
	notYet  failed = 1 // not done, or something is wrong
	unbuilt failed = 2 // the learner's copy does not compile
	hung    failed = 3 // a test did not end
	nothing failed = 4 // the command line or the set-up is wrong
)

func main() {
	err := run(os.Args[1:], os.Stdin, os.Stdout)
	code := nothing
	switch {
	case err == nil:
		return
	case errors.As(err, &code):
	default:
		fmt.Fprintln(os.Stderr, "lab:", err)
	}
	os.Exit(int(code))
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" {
		usage(out)
		return nil
	}
	for _, v := range verbs {
		if v.name == args[0] {
			c := &call{in: in, out: out}
			fs := flag.NewFlagSet(v.name, flag.ContinueOnError)
			c.flags(fs)
			fs.Usage = func() {
				fmt.Fprintf(fs.Output(), "lab %s %s: %s\n", v.name, v.args, v.help)
				fs.PrintDefaults()
			}
			if err := fs.Parse(args[1:]); err != nil {
				return nothing
			}
			c.args = fs.Args()
			return v.run(c)
		}
	}
	return fmt.Errorf("there is no verb %q; lab help lists them", args[0])
}

func usage(w io.Writer) {
	fmt.Fprint(w, "lab VERB [-flags] [arguments]\n\n")
	for _, v := range verbs {
		fmt.Fprintf(w, "  %-24s %s\n", strings.TrimSpace(v.name+" "+v.args), v.help)
	}
	fmt.Fprint(w, "\nExit codes: 0 done, 1 not yet or wrong, 2 does not compile, 3 hangs, 4 the set-up is wrong.\n")
}

func (c *call) tree() (*tree.Tree, error) {
	if c.root != "" {
		return tree.Open(c.root)
	}
	return tree.Find(".")
}

// parsed is the workspace with all its packages.
func (c *call) parsed() (*tree.Tree, []*tree.Package, error) {
	t, err := c.tree()
	if err != nil {
		return nil, nil, err
	}
	pkgs, err := t.Packages(t.Stages...)
	return t, pkgs, err
}

func comments(c *call) error {
	_, pkgs, err := c.parsed()
	if err != nil {
		return err
	}
	return c.report(lint.Comments(pkgs))
}

func (c *call) report(found []lint.Problem) error {
	for _, p := range found {
		fmt.Fprintln(c.out, p)
	}
	if len(found) > 0 {
		return notYet
	}
	return nil
}

func lines(c *call) error {
	t, pkgs, err := c.parsed()
	if err != nil {
		return err
	}
	var sizes []lint.Size
	for _, s := range t.Stages {
		sizes = append(sizes, lint.Count(s, pkgs))
	}
	if lint.PrintSizes(c.out, sizes) > 0 {
		return notYet
	}
	return nil
}
