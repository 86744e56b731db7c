package tree

import (
	"go/ast"
	"slices"
	"strings"
)

// Doc is what the last lines of a package comment say.
type Doc struct {
	File  *File       // where the comment stands; nil if there is none
	Text  []Line      // all lines of the comment
	Lines []KeyedLine // those that begin with one of Keys
}

// Line is one line of a comment.
type Line struct {
	N    int
	Text string
}

// KeyedLine is a line such as "Reading: core".
type KeyedLine struct {
	N          int
	Key, Value string
}

// Keys are the keys of a package comment's last lines, in their order.
var Keys = []string{"Article", "Upstream", "Now", "Differs", "Simplified", "Reading"}

// Get returns the values of one key.
func (d Doc) Get(key string) (values []string) {
	for _, l := range d.Lines {
		if l.Key == key {
			values = append(values, l.Value)
		}
	}
	return values
}

// Core says whether the package is one that the article is about. One that does
// not say, as a package main may, counts as core.
func (d Doc) Core() bool { return !slices.Equal(d.Get("Reading"), []string{"reference"}) }

// readDoc takes the comment of doc.go, else of the first file that has one.
func (p *Package) readDoc() Doc {
	var at *File
	for _, f := range p.Files {
		if f.AST.Doc != nil && (at == nil || strings.HasSuffix(f.Path, "/doc.go")) {
			at = f
		}
	}
	if at == nil {
		return Doc{}
	}
	d := Doc{File: at, Text: CommentLines(at, at.AST.Doc)}
	for _, l := range d.Text {
		if k, v, ok := Keyed(l.Text); ok {
			d.Lines = append(d.Lines, KeyedLine{l.N, k, v})
		}
	}
	return d
}

// Keyed splits a line that begins with one of Keys and a colon.
func Keyed(text string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(text, ":")
	return key, strings.TrimSpace(value), ok && slices.Contains(Keys, key)
}

// CommentLines are the lines of a comment without their slashes.
func CommentLines(f *File, g *ast.CommentGroup) []Line {
	var lines []Line
	for _, c := range g.List {
		n := f.Line(c.Pos())
		for i, text := range strings.Split(strings.TrimSuffix(c.Text, "*/"), "\n") {
			if i == 0 {
				text = text[2:] // the slashes
			}
			lines = append(lines, Line{n + i, strings.TrimPrefix(text, " ")})
		}
	}
	return lines
}
