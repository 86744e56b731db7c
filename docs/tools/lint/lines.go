package lint

import (
	"fmt"
	"go/ast"
	"io"
	"strings"
	"text/tabwriter"

	"example.com/kube-apiserver/docs/tools/tree"
)

// What is too long. The guides are for the lines of code in the core packages of
// stages 1 to 5: comments explain, so that more of them are no fault. Going over
// a guide is shown, and no fault either.
const (
	maxFile    = 300
	maxFunc    = 50
	maxMarkers = 0.02 // of a stage's lines
)

var guides = map[int]int{1: 400, 2: 700, 3: 2500, 4: 1500, 5: 900}

// Size counts the lines of a stage's files, without tests.
type Size struct {
	Stage                      tree.Stage
	Core, Reference, Generated int
	CoreCode                   int // core lines that are neither empty nor comment
	Tests, Comments, Markers   int
	Long                       []Problem // files and functions
}

// Count measures one stage. A package such as kvtest, which only tests import,
// counts as tests.
func Count(s tree.Stage, pkgs []*tree.Package) Size {
	size := Size{Stage: s}
	for _, p := range pkgs {
		if p.Stage != s {
			continue
		}
		for _, f := range p.Tests {
			size.Tests += f.Lines()
		}
		for _, f := range p.Files {
			if strings.HasSuffix(p.Name, "test") {
				size.Tests += f.Lines()
				continue
			}
			size.add(p, f)
		}
	}
	if all := size.Core + size.Reference; float64(size.Markers) > maxMarkers*float64(all) {
		size.Long = append(size.Long, Problem{"markers", s.Dir, 1,
			fmt.Sprintf("%d of %d lines are step markers, more than %.0f %%; address whole functions by name", size.Markers, all, 100*maxMarkers)})
	}
	return size
}

func (s *Size) add(p *tree.Package, f *tree.File) {
	n := f.Lines()
	switch {
	case f.Generated():
		s.Generated += n
		return
	case p.Doc.Core():
		s.Core += n
		s.CoreCode += codeLines(f.Src)
	default:
		s.Reference += n
	}
	for _, g := range f.AST.Comments {
		s.Comments += f.Line(g.End()) - f.Line(g.Pos()) + 1
	}
	s.Markers += strings.Count(string(f.Src), "//step:")
	if n > maxFile {
		s.Long = append(s.Long, Problem{"file", f.Path, maxFile + 1, fmt.Sprintf("the file has %d lines, more than %d; split it by subject", n, maxFile)})
	}
	for _, d := range f.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := f.Line(fn.End()) - f.Line(fn.Pos()) + 1 - rows(f, fn); n > maxFunc {
			s.Long = append(s.Long, Problem{"func", f.Path, f.Line(fn.Pos()), fmt.Sprintf("%s has %d lines, more than %d; split it", tree.FuncName(fn), n, maxFunc)})
		}
	}
}

func codeLines(src []byte) (n int) {
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

// PrintSizes prints a table of all stages, then what is too long, and returns how many those are.
func PrintSizes(w io.Writer, sizes []Size) int {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "The guide is for the code of a stage's core packages; comments explain and are not counted, nor are empty lines.")
	fmt.Fprintln(t, "stage\tcore code\tguide\tcore with comments\treference\tgenerated\ttests\tcomments\tmarkers\t")
	var sum Size
	for _, s := range sizes {
		row(t, s, guides[s.Stage.N], s.Stage.Dir)
		sum.Core += s.Core
		sum.CoreCode += s.CoreCode
		sum.Reference += s.Reference
		sum.Generated += s.Generated
		sum.Tests += s.Tests
		sum.Comments += s.Comments
		sum.Markers += s.Markers
		sum.Long = append(sum.Long, s.Long...)
	}
	row(t, sum, 6000, "all")
	t.Flush()
	for _, p := range sum.Long {
		fmt.Fprintln(w, p)
	}
	return len(sum.Long)
}

func row(w io.Writer, s Size, guide int, name string) {
	mark := ""
	if guide > 0 && s.CoreCode > guide {
		mark = " over"
	}
	fmt.Fprintf(w, "%s\t%d\t%d%s\t%d\t%d\t%d\t%d\t%s\t%s\t\n", name, s.CoreCode, guide, mark, s.Core, s.Reference, s.Generated, s.Tests,
		percent(s.Comments, s.Core+s.Reference), percent(s.Markers, s.Core+s.Reference))
}

func percent(n, of int) string {
	if of == 0 {
		return "0.0%"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of))
}

// rows are the lines of the tables in a function, such as its map of storages:
// a table is read row by row, however long it is.
func rows(f *tree.File, fn *ast.FuncDecl) (n int) {
	ast.Inspect(fn, func(node ast.Node) bool {
		table, ok := node.(*ast.CompositeLit)
		if ok {
			n += max(0, f.Line(table.Rbrace)-f.Line(table.Lbrace)-1)
		}
		return !ok
	})
	return n
}
