package tree

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
)

// Place is what an address names.
type Place struct {
	File string // below the root
	Name string // what stands after the #
	Line int    // of the declaration's name, or of the step's first line
	Text string // the excerpt: a declaration with its comment, or the lines of a step
	Lo   int    // its bytes in the file
	Hi   int
}

// Resolve finds an address whose file is below the root.
func (t *Tree) Resolve(addr string) (Place, error) {
	file, name, ok := strings.Cut(addr, "#")
	if !ok {
		return Place{}, fmt.Errorf("%s: an address is file.go#Name, file.go#Type.Method or file.go#step:3.2", addr)
	}
	src, err := os.ReadFile(t.Abs(file))
	if err != nil {
		return Place{}, fmt.Errorf("%s: no such file", addr)
	}
	s, err := find(src, name)
	if err != nil {
		return Place{}, fmt.Errorf("%s: %w", addr, err)
	}
	p := Place{File: file, Name: name, Lo: s.lo, Hi: s.hi, Line: 1 + bytes.Count(src[:s.at], []byte("\n"))}
	p.Text = Dedent(withoutMarkers(string(src[s.lo:s.hi])))
	return p, nil
}

// span is a declaration or a step in a file's bytes.
type span struct {
	lo, hi     int // all of it, in whole lines
	inLo, inHi int // what an exercise may blank: the lines inside a function's body, or the step; 0 if nothing
	at         int
}

// Inside finds the lines that an exercise may blank: those of a step, or those
// inside the body of a function.
func Inside(src []byte, name string) (lo, hi int, err error) {
	s, err := find(src, name)
	if err != nil {
		return 0, 0, err
	}
	if s.inHi == 0 {
		return 0, 0, fmt.Errorf("%s cannot be blanked: it is no step, and no function whose body begins on a line of its own", name)
	}
	return s.inLo, s.inHi, nil
}

func find(src []byte, name string) (span, error) {
	if step, ok := strings.CutPrefix(name, "step:"); ok {
		return findStep(src, step)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return span{}, err
	}
	off := func(p token.Pos) int { return fset.Position(p).Offset }
	for _, d := range f.Decls {
		if s, ok := findDecl(d, name, off); ok {
			s.lo = 1 + bytes.LastIndexByte(src[:s.lo], '\n')
			if i := bytes.IndexByte(src[s.hi:], '\n'); i >= 0 {
				s.hi += i + 1
			}
			if s.inHi > 0 {
				s.inside(src)
			}
			return s, nil
		}
	}
	return span{}, fmt.Errorf("nothing is declared as %s", name)
}

// inside makes whole lines of what stands between a body's braces.
func (s *span) inside(src []byte) {
	first := bytes.IndexByte(src[s.inLo:s.inHi], '\n')
	if first < 0 {
		s.inLo, s.inHi = 0, 0
		return
	}
	s.inLo += first + 1
	s.inHi = 1 + bytes.LastIndexByte(src[:s.inHi], '\n')
}

func findDecl(d ast.Decl, name string, off func(token.Pos) int) (span, bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if FuncName(d) != name {
			return span{}, false
		}
		s := span{lo: off(start(d.Doc, d)), hi: off(d.End()), at: off(d.Pos())}
		if d.Body != nil {
			s.inLo, s.inHi = off(d.Body.Lbrace)+1, off(d.Body.Rbrace)
		}
		return s, true
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			for _, n := range specNames(spec) {
				if n != name {
					continue
				}
				if !d.Lparen.IsValid() {
					return span{lo: off(start(d.Doc, d)), hi: off(d.End()), at: off(d.Pos())}, true
				}
				return span{lo: off(start(specDoc(spec), spec)), hi: off(spec.End()), at: off(spec.Pos())}, true
			}
		}
	}
	return span{}, false
}

func specDoc(s ast.Spec) *ast.CommentGroup {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Doc
	case *ast.ValueSpec:
		return s.Doc
	}
	return nil
}

func start(doc *ast.CommentGroup, n ast.Node) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}

func findStep(src []byte, number string) (span, error) {
	off, lo, hi := 0, -1, -1
	for line := range bytes.Lines(src) {
		switch n, _, _ := Marker(string(line)); {
		case n == number && lo >= 0:
			return span{}, fmt.Errorf("step %s is marked twice", number)
		case n == number:
			lo = off + len(line)
		case n == "end" && lo >= 0 && hi < 0:
			hi = off
		}
		off += len(line)
	}
	switch {
	case lo < 0:
		return span{}, fmt.Errorf("no line //step:%s", number)
	case hi < 0:
		return span{}, fmt.Errorf("step %s has no //step:end", number)
	}
	return span{lo: lo, hi: hi, inLo: lo, inHi: hi, at: lo}, nil
}

var marker = regexp.MustCompile(`^\s*//step:(\S*)\s*(.*?)\s*$`)

// Marker reads a marker line: its number, or "end", and its text.
func Marker(line string) (number, text string, ok bool) {
	m := marker.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

func withoutMarkers(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if _, _, ok := Marker(line); !ok {
			b.WriteString(line)
		}
	}
	return b.String()
}

// Dedent takes away the tabs that all lines begin with.
func Dedent(text string) string {
	lines := strings.SplitAfter(text, "\n")
	least := -1
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if n := len(l) - len(strings.TrimLeft(l, "\t")); least < 0 || n < least {
			least = n
		}
	}
	for i, l := range lines {
		lines[i] = l[min(max(least, 0), len(l)-len(strings.TrimLeft(l, "\t"))):]
	}
	return strings.Join(lines, "")
}
