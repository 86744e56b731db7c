package lint

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/kube-apiserver/docs/tools/tree"
)

// Problem is one thing that is wrong at one place.
type Problem struct {
	Check string // its name, such as "article"
	File  string
	Line  int
	Text  string // what is wrong and how to mend it
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text) }

// paragraphs has the highest number of each part of the article.
var paragraphs = [...]int{1, 5, 16, 7}

// ParagraphIDs are the article's paragraphs, in order.
func ParagraphIDs() (ids []string) {
	for part, last := range paragraphs {
		for n := range last {
			ids = append(ids, fmt.Sprintf("A%d.%d", part+1, n+1))
		}
	}
	return ids
}

// KnownParagraph says whether id is one of the article's, such as A3.10.
func KnownParagraph(id string) bool { return slices.Contains(ParagraphIDs(), id) }

// Comments checks the package comments, the Upstream lines and what core
// packages import.
func Comments(pkgs []*tree.Package) []Problem {
	c := &checker{reading: map[string]string{}}
	for _, p := range pkgs {
		if r := p.Doc.Get("Reading"); len(r) > 0 {
			c.reading[p.Path] = r[0]
		}
	}
	for _, p := range pkgs {
		if len(p.Files) == 0 {
			continue // tests alone
		}
		c.packageComment(p)
		c.upstreamLines(p)
		c.imports(p)
	}
	slices.SortFunc(c.found, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(c.found)
}

type checker struct {
	reading map[string]string // import path → core or reference
	found   []Problem
}

func (c *checker) say(check, file string, line int, format string, args ...any) {
	c.found = append(c.found, Problem{check, file, line, fmt.Sprintf(format, args...)})
}

const shape = "end the package comment in an empty line and the lines Article:, Upstream:, Now:, [Differs:], [Simplified:], Reading:"

func (c *checker) packageComment(p *tree.Package) {
	d := p.Doc
	isMain := p.Name == "main"
	switch {
	case isMain && len(d.Lines) == 0:
		return
	case !isMain && (d.File == nil || path.Base(d.File.Path) != "doc.go"):
		c.say("doc.go", p.Files[0].Path, 1, "package %s has no doc.go with a package comment; write %s/doc.go and %s", p.Name, p.Dir, shape)
		return
	case len(d.Lines) == 0:
		c.say("block", d.File.Path, d.Text[len(d.Text)-1].N, "the package comment does not say where it belongs; %s", shape)
		return
	}
	c.blockShape(p)
	for _, l := range d.Lines {
		c.value(d.File.Path, l)
	}
}

// blockShape checks that the keyed lines are the last ones, in order, complete.
func (c *checker) blockShape(p *tree.Package) {
	d, file := p.Doc, p.Doc.File.Path
	first := slices.IndexFunc(d.Text, func(l tree.Line) bool { return l.N == d.Lines[0].N })
	if first == 0 || strings.TrimSpace(d.Text[first-1].Text) != "" {
		c.say("block", file, d.Lines[0].N, "the line before %s: is not empty; put an empty comment line there", d.Lines[0].Key)
	}
	for _, l := range d.Text[first:] {
		if _, _, ok := tree.Keyed(l.Text); !ok {
			c.say("block", file, l.N, "%q is inside or after the last lines; they take one line each, without wrapping or gaps, and nothing follows them", l.Text)
		}
	}
	last := 0
	for _, l := range d.Lines {
		at := slices.Index(tree.Keys, l.Key)
		if at < last {
			c.say("order", file, l.N, "%s: stands after %s:; the order is %s", l.Key, tree.Keys[last], strings.Join(tree.Keys, ", "))
		}
		last = max(last, at)
	}
	for _, key := range []string{"Article", "Upstream", "Now", "Reading"} {
		if n := len(d.Get(key)); n != 1 {
			c.say("count", file, d.Lines[0].N, "%d lines %s:; there must be one (none is a value of the first three)", n, key)
		}
	}
}

var source = regexp.MustCompile(`^[\w.@-]+(/[\w.@-]+)*\.go [A-Za-z_]\w*(\.[A-Za-z_]\w*)?$`)

func (c *checker) value(file string, l tree.KeyedLine) {
	switch l.Key {
	case "Article":
		if l.Value == "none" {
			return
		}
		for _, id := range strings.Split(l.Value, ", ") {
			if !KnownParagraph(id) {
				c.say("article", file, l.N, "%q is no paragraph of the article; write ids like A3.10, A3.11 (A1.1, A2.1–A2.5, A3.1–A3.16, A4.1–A4.7), or none", id)
			}
		}
	case "Upstream", "Now":
		if l.Value != "none" && !source.MatchString(l.Value) {
			c.say("upstream", file, l.N, "%s: %q is not a file and a name in it; write it like pkg/master/master.go InstallLegacyAPI, or none", l.Key, l.Value)
		}
	case "Reading":
		if l.Value != "core" && l.Value != "reference" {
			c.say("reading", file, l.N, "Reading: %q; write core or reference", l.Value)
		}
	default:
		if l.Value == "" {
			c.say("empty", file, l.N, "%s: says nothing; write a sentence or remove the line", l.Key)
		}
	}
}

// upstreamLines checks the lines Upstream and Now that stand elsewhere than in the package comment.
func (c *checker) upstreamLines(p *tree.Package) {
	for _, f := range p.Files {
		for _, g := range f.AST.Comments {
			if g == f.AST.Doc {
				continue
			}
			for _, l := range tree.CommentLines(f, g) {
				if key, value, ok := tree.Keyed(l.Text); ok && (key == "Upstream" || key == "Now") && !source.MatchString(value) {
					c.say("upstream", f.Path, l.N, "%s: %q is not a file and a name in it; write it like pkg/master/master.go InstallLegacyAPI, or remove the line", key, value)
				}
			}
		}
	}
}

// imports checks that a core package imports no reference package. Package main
// and packages named app put the parts together, so they may.
func (c *checker) imports(p *tree.Package) {
	if p.Name == "main" || p.Name == "app" || c.reading[p.Path] != "core" {
		return
	}
	for _, f := range p.Files {
		for _, im := range f.AST.Imports {
			name := strings.Trim(im.Path.Value, `"`)
			if c.reading[name] == "reference" || strings.HasPrefix(name, "k8s.io/api/") || strings.HasPrefix(name, "k8s.io/apimachinery/") {
				c.say("core-imports-reference", f.Path, f.Line(im.Pos()),
					"core package %s imports %s, which is for reference; declare here what is needed and let package app fill it in", p.Name, name)
			}
		}
	}
}
