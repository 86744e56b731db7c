package main

import (
	"bufio"
	"context"
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/docs/tools/book"
	"example.com/kube-apiserver/docs/tools/ex"
	"example.com/kube-apiserver/docs/tools/tree"
	"example.com/kube-apiserver/docs/tools/tsv"
)

// stage is the stage that the call is about, with all packages.
func (c *call) stage() (*tree.Tree, tree.Stage, []*tree.Package, error) {
	t, pkgs, err := c.parsed()
	if err != nil {
		return nil, tree.Stage{}, nil, err
	}
	n, err := strconv.Atoi(c.arg(0, "S"))
	if err != nil {
		return nil, tree.Stage{}, nil, fmt.Errorf("say which stage, such as S=3")
	}
	s, err := t.Stage(n)
	return t, s, pkgs, err
}

// readingPath prints a stage's reading path.
func readingPath(c *call) error {
	t, s, _, err := c.stage()
	if err != nil {
		return err
	}
	rows, err := tsv.Read(t.Abs(book.Data+"path.tsv"), book.PathColumns...)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Get("stage") != strconv.Itoa(s.N) {
			continue
		}
		p, err := t.Resolve(r.Get("at"))
		if err != nil {
			return fmt.Errorf("%s: %w", r.At(), err)
		}
		fmt.Fprintf(c.out, "[%s] %s:%d  %s\n        %s\n", r.Get("article"), p.File, p.Line, p.Name, r.Get(c.lang))
	}
	return nil
}

// steps runs a stage's Examples, from the packages that import none of the
// others up, and shows each with what it prints.
func steps(c *call) error {
	t, s, pkgs, err := c.stage()
	if err != nil {
		return err
	}
	depth := depths(pkgs)
	pkgs = slices.DeleteFunc(pkgs, func(p *tree.Package) bool { return p.Stage != s })
	slices.SortStableFunc(pkgs, func(a, b *tree.Package) int { return depth[a.Path] - depth[b.Path] })
	run := ex.Run{Dir: t.Abs(s.Dir), Only: []string{"Example.*"}}
	for _, p := range pkgs {
		if len(examples(p)) > 0 {
			run.Packages = append(run.Packages, below(s, p))
		}
	}
	if run.Packages == nil {
		return fmt.Errorf("%s has no Examples", s.Dir)
	}
	res, err := run.Do(context.Background(), s.Module)
	if err != nil {
		return err
	}
	if res.Build != nil {
		return fmt.Errorf("%s does not compile:\n%s", s.Dir, strings.Join(res.Build, "\n"))
	}
	var worst error
	for _, p := range pkgs {
		for _, e := range examples(p) {
			if !c.example(p, e, res.Of(below(s, p), e.fn.Name.Name)) {
				worst = notYet
			}
		}
	}
	return worst
}

// below is a package's folder as the go command takes it inside of its stage.
func below(s tree.Stage, p *tree.Package) string {
	if p.Dir == s.Dir {
		return "."
	}
	return "./" + strings.TrimPrefix(p.Dir, s.Dir+"/")
}

// depths says how high each package stands over those that it imports.
func depths(pkgs []*tree.Package) map[string]int {
	by, depth := map[string]*tree.Package{}, map[string]int{}
	for _, p := range pkgs {
		by[p.Path] = p
	}
	var of func(path string) int
	of = func(path string) int {
		if by[path] == nil {
			return 0
		}
		if depth[path] == 0 {
			depth[path] = 1
			for im := range by[path].Imports() {
				depth[path] = max(depth[path], 1+of(im))
			}
		}
		return depth[path]
	}
	for path := range by {
		of(path)
	}
	return depth
}

type shown struct {
	file *tree.File
	fn   *ast.FuncDecl
}

func examples(p *tree.Package) (all []shown) {
	for _, f := range p.Tests {
		for _, d := range f.AST.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Example") {
				all = append(all, shown{f, fn})
			}
		}
	}
	return all
}

func (c *call) example(p *tree.Package, e shown, t *ex.Test) bool {
	src := string(e.file.Src)
	off := func(n int) int { return e.file.Fset.Position(e.fn.Pos()).Offset + n }
	body := src[off(int(e.fn.Body.Lbrace-e.fn.Pos()))+1 : off(int(e.fn.Body.Rbrace-e.fn.Pos()))]
	code, want, _ := strings.Cut(body, "// Output:")
	fmt.Fprintf(c.out, "\n== %s  %s  (%s:%d)\n", p.Dir, strings.Join(p.Doc.Get("Article"), ""), e.file.Path, e.file.Line(e.fn.Pos()))
	if e.fn.Doc != nil {
		c.println(strings.TrimSpace(e.fn.Doc.Text()))
	}
	fmt.Fprintf(c.out, "\n%s\n", indent(strings.Trim(tree.Dedent(code), "\n")))
	switch {
	case want == "":
		return true // it is only shown
	case t.Outcome == ex.Passed:
		var lines []string
		for line := range strings.Lines(want) {
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "//"), " "))
		}
		fmt.Fprintf(c.out, "\n%s\n", strings.ReplaceAll(indent(strings.TrimSpace(strings.Join(lines, "\n"))), "    ", "  | "))
		return true
	}
	fmt.Fprintf(c.out, "\n  it prints something else:\n%s\n", indent(strings.Join(t.Says, "\n")))
	return false
}

func indent(text string) string { return "    " + strings.ReplaceAll(text, "\n", "\n    ") }

// stageDiff prints what a stage adds: its packages and exported names. A name
// that an earlier stage has in its package of the same folder grows out of it.
func stageDiff(c *call) error {
	_, s, pkgs, err := c.stage()
	if err != nil {
		return err
	}
	earlier := map[string][]*tree.Package{} // by folder below the stage
	for _, p := range pkgs {
		if p.Stage.N < s.N {
			earlier[below(p.Stage, p)] = append(earlier[below(p.Stage, p)], p)
		}
	}
	c.println(c.say("grown"))
	for _, p := range pkgs {
		if p.Stage != s || len(p.Files) == 0 {
			continue
		}
		lines := 0
		for _, f := range p.Files {
			lines += f.Lines()
		}
		reading := c.say("core")
		if !p.Doc.Core() {
			reading = c.say("other")
		}
		fmt.Fprintf(c.out, "\n%s  %s%s%s  %s\n", p.Dir, reading, c.say(","), c.say("size", len(p.Files), lines), strings.Join(p.Doc.Get("Article"), ""))
		for _, name := range p.Exported() {
			mark, from := "+", ""
			for _, before := range earlier[below(s, p)] {
				if slices.Contains(before.Exported(), name) {
					mark, from = "~", "  "+before.Stage.Dir
				}
			}
			fmt.Fprintf(c.out, "  %s %s%s\n", mark, name, from)
		}
	}
	return nil
}

// erratum tells of one error of the article: the words, a guess, a test that
// shows it, and what is so.
func erratum(c *call) error {
	b, err := c.book()
	if err != nil {
		return err
	}
	rows, err := tsv.Read(b.Tree.Abs(book.Data+"errata.tsv"), book.ErrataColumns...)
	if err != nil {
		return err
	}
	id := strings.TrimLeft(c.arg(0, "E"), "Ee") // E=15 and E=E15
	i := slices.IndexFunc(rows, func(r tsv.Row) bool { return r.Get("id") == "E"+id })
	if i < 0 {
		for _, r := range rows {
			fmt.Fprintf(c.out, "  %-4s [%s] %s\n", r.Get("id"), r.Get("article"), r.Get("says."+c.lang))
		}
		return fmt.Errorf("say which erratum, such as E=8")
	}
	r := rows[i]
	fmt.Fprintf(c.out, "%s  [%s]  %s%s“%s”\n    %s\n\n%s\n", r.Get("id"), r.Get("article"), c.say("article"), c.say(":"), r.Get("words"), r.Get("says."+c.lang), r.Get("ask."+c.lang))
	fmt.Fprint(c.out, c.say("guess"))
	bufio.NewReader(c.in).ReadString('\n') // at the end of input it goes on
	c.println()
	if err := c.proof(b, r.Get("proof")); err != nil {
		return err
	}
	c.field(c.say("truth"), r.Get("truth."+c.lang))
	if at := r.Get("at"); at != "" {
		p, err := b.Tree.Resolve(at)
		if err != nil {
			return err
		}
		c.field(c.say("stands"), fmt.Sprintf("%s:%d  %s", p.File, p.Line, p.Name))
	}
	return nil
}

// proof runs the test that shows it, with what it logs as the story.
func (c *call) proof(b *book.Book, proof string) error {
	if strings.HasPrefix(proof, "https://") {
		c.println("    " + proof)
		return nil
	}
	p, err := b.Test(proof)
	if err != nil {
		return err
	}
	name, pkg := path.Base(strings.ReplaceAll(proof, " ", "/")), below(p.Stage, p)
	res, err := ex.Run{Dir: b.Tree.Abs(p.Stage.Dir), Packages: []string{pkg}, Only: []string{name}}.Do(context.Background(), p.Stage.Module)
	if err != nil {
		return err
	}
	t := res.Of(pkg, name)
	fmt.Fprintf(c.out, "%s  %s\n%s\n", p.Dir, name, indent(strings.Join(append(res.Build, t.Says...), "\n")))
	if t.Outcome != ex.Passed {
		return notYet
	}
	return nil
}
