// Package md reads the chapters' Markdown line by line, as far as the tool has
// to understand it: headings with numbers, fences, <details>, links, anchors,
// and the blocks that the tool fills.
//
// A block begins with <!-- kind: arguments --> and ends with <!-- /kind -->, each
// on a line of its own; the kinds stand in package book.
package md

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Langs are the languages, in the order in which they are shown.
var Langs = []string{"en", "zh"}

// Page is one Markdown file.
type Page struct {
	Path     string // below the root
	Lines    []Line
	Sections []Section // the first is what stands before all headings
	Blocks   []Block
}

// Line is one line and where it lies.
type Line struct {
	N       int
	Text    string
	Fence   string // the language of the fence that it lies in, "-" for one without
	Details bool   // inside of <details>
	Block   bool   // between the lines of a block
}

// Section is a heading with the lines up to the next.
type Section struct {
	Level         int
	Number, Title string // of "## 3.2 Title"; the number may be missing
	Line          int
	Lines         []Line
}

// Block is a directive with the lines that it is filled with.
type Block struct {
	Kind, Args string
	From, To   int // indexes into Lines of what lies between its two lines
	Line       int
	Details    bool
	Ended      bool
}

var (
	heading   = regexp.MustCompile(`^(#{1,6}) +(?:([0-9](?:\.[0-9]+)?)[. ]+)?(.*?)\s*$`)
	fence     = regexp.MustCompile("^ {0,3}```+ *([\\w-]*)")
	directive = regexp.MustCompile(`^<!-- (code|see|ex|gen): (.+?) -->$`)
)

// Read parses one file below root.
func Read(root, path string) (*Page, error) {
	src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		return nil, err
	}
	return Parse(path, string(src)), nil
}

// Parse parses a page.
func Parse(path, src string) *Page {
	p := &Page{Path: path, Sections: []Section{{}}}
	inFence, details := "", 0
	var open *Block
	for text := range strings.Lines(src) {
		text = strings.TrimRight(text, "\r\n")
		l := Line{N: len(p.Lines) + 1, Text: text, Fence: inFence, Details: details > 0}
		m := fence.FindStringSubmatch(text)
		switch {
		case m != nil && inFence == "":
			inFence = m[1]
			if inFence == "" {
				inFence = "-"
			}
			l.Fence = inFence
		case m != nil:
			inFence = ""
		case inFence != "":
		default:
			details += strings.Count(text, "<details") - strings.Count(text, "</details>")
			if h := heading.FindStringSubmatch(text); h != nil && open == nil {
				p.Sections = append(p.Sections, Section{Level: len(h[1]), Number: h[2], Title: h[3], Line: l.N})
			}
		}
		if open != nil && inFence == "" && text == "<!-- /"+open.Kind+" -->" {
			open.To, open.Ended = len(p.Lines), true
			open = nil
		}
		l.Block = open != nil
		if d := directive.FindStringSubmatch(text); d != nil && l.Fence == "" && open == nil {
			p.Blocks = append(p.Blocks, Block{Kind: d[1], Args: d[2], From: len(p.Lines) + 1, Line: l.N, Details: l.Details})
			open = &p.Blocks[len(p.Blocks)-1]
		}
		p.Lines = append(p.Lines, l)
		last := &p.Sections[len(p.Sections)-1]
		last.Lines = append(last.Lines, l)
	}
	return p
}

// Section finds a section by its number.
func (p *Page) Section(number string) (Section, bool) {
	i := slices.IndexFunc(p.Sections, func(s Section) bool { return s.Number == number })
	if i < 0 {
		return Section{}, false
	}
	return p.Sections[i], true
}

// Task is the paragraph that follows the box of an exercise.
func (p *Page) Task(id string) string {
	for _, b := range p.Blocks {
		if b.Kind != "ex" || b.Args != id || !b.Ended {
			continue
		}
		var task []string
		for _, l := range p.Lines[b.To+1:] {
			text := strings.TrimSpace(l.Text)
			if strings.HasPrefix(text, "<") || strings.HasPrefix(text, "#") || text == "" && len(task) > 0 {
				break
			}
			if text != "" {
				task = append(task, text)
			}
		}
		return strings.Join(task, "\n")
	}
	return ""
}

// Prose counts the lines that are written by hand, without empty ones.
func (p *Page) Prose() (n int) {
	for _, l := range p.Lines {
		if !l.Block && strings.TrimSpace(l.Text) != "" {
			n++
		}
	}
	return n
}

// Chapter is the page of a stage in a language, such as docs/en/3-storage.md.
func Chapter(root, lang, stage string) (*Page, error) {
	names, err := filepath.Glob(filepath.Join(root, "docs", lang, stage+"-*.md"))
	if err != nil || len(names) == 0 {
		return nil, os.ErrNotExist
	}
	return Read(root, "docs/"+lang+"/"+filepath.Base(names[0]))
}

// Pages reads docs/<lang>/*.md, by file name.
func Pages(root, dir string) (map[string]*Page, error) {
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.md"))
	if err != nil {
		return nil, err
	}
	pages := map[string]*Page{}
	for _, name := range names {
		base := filepath.Base(name)
		if pages[base], err = Read(root, dir+"/"+base); err != nil {
			return nil, err
		}
	}
	return pages, nil
}
