package lint

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"

	"example.com/kube-apiserver/docs/tools/tree"
)

var stepNumber = regexp.MustCompile(`^([1-9])\.[1-9][0-9]?[a-z]?$`)

// Markers checks the step markers of all packages: numbered after their stage,
// once each, ended, not nested, with a text, and inside of something that gofmt
// leaves alone.
func Markers(pkgs []*tree.Package) []Problem {
	c := &checker{}
	seen := map[string]string{} // number → where
	for _, p := range pkgs {
		for _, f := range p.Files {
			c.markers(p.Stage, f, seen)
		}
	}
	return c.found
}

func (c *checker) markers(s tree.Stage, f *tree.File, seen map[string]string) {
	open, line := "", 0
	for text := range strings.Lines(string(f.Src)) {
		line++
		n, says, ok := tree.Marker(text)
		if !ok {
			continue
		}
		say := func(format string, args ...any) { c.say("marker", f.Path, line, format, args...) }
		if !inside(f, line) {
			say("a marker must stand inside a function, a struct type or a literal; elsewhere gofmt moves it")
		}
		if n == "end" {
			if open == "" {
				say("//step:end ends nothing; remove it")
			}
			open = ""
			continue
		}
		if open != "" {
			say("step %s begins inside step %s; steps do not nest", n, open)
		}
		open = n
		switch m := stepNumber.FindStringSubmatch(n); {
		case m == nil:
			say("%q is no step number; write //step:%d.2 and what the step does", n, s.N)
		case m[1] != fmt.Sprint(s.N):
			say("step %s stands in stage %d; its number begins with its stage", n, s.N)
		case seen[n] != "":
			say("step %s is also marked at %s; a number is used once", n, seen[n])
		case says == "":
			say("step %s says nothing; write after the number what the step does", n)
		}
		seen[n] = fmt.Sprintf("%s:%d", f.Path, line)
	}
	if open != "" {
		c.say("marker", f.Path, line, "step %s is not ended; write //step:end", open)
	}
}

// inside says whether a line lies between the braces of something.
func inside(f *tree.File, line int) (found bool) {
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt, *ast.FieldList, *ast.CompositeLit:
			found = found || f.Line(n.Pos()) < line && line < f.Line(n.End())
		}
		return !found
	})
	return found
}
