package tree

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Replace puts body in place of what name may blank and formats the file. An
// import that is no longer used becomes a blank import and one that is used
// again an ordinary one, so that the file compiles.
func Replace(src []byte, name, body string) ([]byte, error) {
	out, err := Put(src, name, body)
	if err != nil {
		return nil, err
	}
	if out, err = mendImports(out); err != nil {
		return nil, err
	}
	return format.Source(out)
}

// Put puts body in place of what name may blank and leaves the rest as it is.
func Put(src []byte, name, body string) ([]byte, error) {
	lo, hi, err := Inside(src, name)
	if err != nil {
		return nil, err
	}
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	return slices.Concat(src[:lo], []byte(body), src[hi:]), nil
}

// Region is what stands where name may blank.
func Region(src []byte, name string) (string, error) {
	lo, hi, err := Inside(src, name)
	if err != nil {
		return "", err
	}
	return string(src[lo:hi]), nil
}

func mendImports(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	ordinary := map[string]bool{}
	for _, im := range f.Imports {
		ordinary[im.Path.Value] = ordinary[im.Path.Value] || im.Name == nil
	}
	for _, im := range slices.Backward(f.Imports) {
		at, end := fset.Position(im.Pos()).Offset, fset.Position(im.Path.Pos()).Offset
		path, _ := strconv.Unquote(im.Path.Value)
		switch name := ImportName(path); {
		case im.Name == nil && !used[name]:
			src = slices.Concat(src[:at], []byte("_ "), src[end:])
		case im.Name != nil && im.Name.Name != "_" && im.Name.Name != "." && !used[im.Name.Name]:
			to := end + len(im.Path.Value)
			src = slices.Concat(src[:at], []byte("_ "), src[end:to], []byte(" // "+im.Name.Name), src[to:])
		case im.Name != nil && im.Name.Name == "_":
			src = unblank(src, at, end, im.Path.Value, used, ordinary[im.Path.Value])
		}
	}
	return src, nil
}

// keptName is the name that a blanked import had.
var keptName = regexp.MustCompile(`^ // (\w+)`)

// unblank makes an import at src[at:] that is used again an ordinary one; its
// path begins at end.
func unblank(src []byte, at, end int, quoted string, used map[string]bool, twice bool) []byte {
	to := end + len(quoted)
	if m := keptName.FindSubmatch(src[to:]); m != nil && used[string(m[1])] {
		return slices.Concat(src[:at], m[1], []byte(" "), src[end:to], src[to+len(m[0]):])
	}
	path, _ := strconv.Unquote(quoted)
	if !used[ImportName(path)] || twice {
		return src
	}
	return slices.Concat(src[:at], src[end:])
}

var versionSuffix = regexp.MustCompile(`^v[0-9]+$`)

// ImportName guesses a package's name from its path: the last element that is
// no version. Where that is wrong, the import has to name it.
func ImportName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && versionSuffix.MatchString(last) {
		last = parts[len(parts)-2]
	}
	last, _, _ = strings.Cut(last, ".v")
	return strings.TrimPrefix(last, "go-")
}

// Equal says whether two regions are the same after formatting.
func Equal(src []byte, name, a, b string) bool {
	one, err1 := formatted(src, name, a)
	two, err2 := formatted(src, name, b)
	return err1 == nil && err2 == nil && bytes.Equal(one, two)
}

func formatted(src []byte, name, body string) ([]byte, error) {
	out, err := Put(src, name, body)
	if err != nil {
		return nil, err
	}
	return format.Source(out)
}
