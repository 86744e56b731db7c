package book

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"

	"example.com/kube-apiserver/docs/tools/ex"
	"example.com/kube-apiserver/docs/tools/lint"
	"example.com/kube-apiserver/docs/tools/md"
	"example.com/kube-apiserver/docs/tools/tree"
	"example.com/kube-apiserver/docs/tools/tsv"
)

// maxProse is how many lines of a chapter are written by hand at most.
const maxProse = 250

// Check checks the comments and markers of the code, all pages, and the tables.
// The names of the checks are
//
//	stale, block    a block is not as Fill makes it, or cannot be filled
//	link, anchor    a link's file, or its place in a page, is not there
//	spoiler         an answer to an exercise lies open
//	length          a chapter's prose is too long
//	word            a word that the glossary says to avoid
//	proof           a test that is named as a proof is not there
//	table           a row of docs/data is wrong
//	plan            a run sheet of the workshop does not fit
//	pair, lag       the two languages have different forms; one has been left behind
//
// and those of packages lint's Comments and Markers.
func (b *Book) Check() ([]lint.Problem, error) {
	pages, langs, err := b.Pages()
	if err != nil {
		return nil, err
	}
	c := &checker{Book: b, pages: map[string]*md.Page{}, found: append(lint.Comments(b.Packages), lint.Markers(b.Packages)...)}
	for _, p := range pages {
		c.pages[p.Path] = p
	}
	for i, p := range pages {
		c.page(p, langs[i])
	}
	c.steps()
	c.tables()
	c.paragraphRows()
	c.sheetRules()
	for _, pair := range pairs {
		c.pair(pair)
	}
	return c.found, c.lag()
}

type checker struct {
	*Book
	pages map[string]*md.Page
	found []lint.Problem
}

func (c *checker) say(check, file string, line int, format string, args ...any) {
	c.found = append(c.found, lint.Problem{Check: check, File: file, Line: line, Text: fmt.Sprintf(format, args...)})
}

func (c *checker) page(p *md.Page, lang string) {
	text, problems := c.Fill(p, lang)
	c.found = append(c.found, problems...)
	if old := textOf(p); len(problems) == 0 && text != old {
		c.say("stale", p.Path, firstDifference(old, text), "this block is not what the code says now; make docs")
	}
	c.links(p)
	c.spoilers(p)
	c.proofs(p)
	c.words(p, lang)
	if n := p.Prose(); regexp.MustCompile(`^[0-9]-`).MatchString(path.Base(p.Path)) && n > maxProse {
		c.say("length", p.Path, 1, "%d lines of prose, more than %d; say less", n, maxProse)
	}
}

func firstDifference(a, b string) int {
	one, two := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range one {
		if i >= len(two) || one[i] != two[i] {
			return i + 1
		}
	}
	return len(one)
}

func (c *checker) links(p *md.Page) {
	for _, l := range p.Links() {
		if strings.Contains(l.Target, "://") || strings.HasPrefix(l.Target, "mailto:") {
			continue
		}
		file, anchor, _ := strings.Cut(l.Target, "#")
		to := p.Path
		if file != "" {
			to = path.Join(path.Dir(p.Path), file)
		}
		if _, err := os.Stat(c.Tree.Abs(to)); err != nil {
			c.say("link", p.Path, l.Line, "%s is not there", l.Target)
			continue
		}
		if anchor == "" || !strings.HasSuffix(to, ".md") {
			continue
		}
		page := c.pages[to]
		if page == nil {
			page, _ = md.Read(c.Tree.Root, to)
		}
		if page == nil || !page.Anchors()[anchor] {
			c.say("anchor", p.Path, l.Line, "%s has no place %q; put <a id=%q></a> there", to, anchor, anchor)
		}
	}
}

// steps looks whether each step has its section in both languages, if its
// chapter is written.
func (c *checker) steps() {
	for _, p := range c.Packages {
		for _, f := range p.Files {
			n := 0
			for line := range strings.Lines(string(f.Src)) {
				n++
				number, _, ok := tree.Marker(line)
				if !ok || number == "end" {
					continue
				}
				section := strings.TrimRight(number, "abcdefghijklmnopqrstuvwxyz")
				for _, lang := range md.Langs {
					if page, err := md.Chapter(c.Tree.Root, lang, fmt.Sprint(p.Stage.N)); err == nil {
						if _, ok := page.Section(section); !ok {
							c.say("marker", f.Path, n, "step %s has no section %s in %s", number, section, page.Path)
						}
					}
				}
			}
		}
	}
}

// spoilers finds lines of a solution, and excerpts over a blank, outside of <details>.
func (c *checker) spoilers(p *md.Page) {
	for _, e := range c.Exercises {
		for i, blank := range e.Blanks {
			file := e.Stage.Dir + "/" + blank.File
			src, err := os.ReadFile(c.Tree.Abs(file))
			if err != nil {
				continue
			}
			lo, hi, err := tree.Inside(src, blank.Name)
			if err != nil {
				continue
			}
			for _, b := range p.Blocks {
				if place, err := c.Tree.Resolve(b.Args); b.Kind == "code" && !b.Details && err == nil && place.File == file && place.Lo < hi && lo < place.Hi {
					c.say("spoiler", p.Path, b.Line, "this excerpt shows the answer to exercise %s; put it into <details>, after the exercise's box", e.ID)
				}
			}
			c.telling(p, e, answer(src, lo, hi, e.Stub(i)))
		}
	}
}

// answer are the lines of a solution that tell: long enough, no comment, and not
// to be seen elsewhere in the file or in the stub.
func answer(src []byte, lo, hi int, stub string) (lines []string) {
	rest := string(src[:lo]) + string(src[hi:]) + stub
	for line := range strings.Lines(string(src[lo:hi])) {
		if line = strings.TrimSpace(line); len(line) >= 16 && !strings.HasPrefix(line, "//") && !strings.Contains(rest, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

func (c *checker) telling(p *md.Page, e *ex.Exercise, lines []string) {
	for _, l := range p.Lines {
		if l.Details || l.Block {
			continue // blocks are looked at by their address
		}
		for _, a := range lines {
			if strings.Contains(l.Text, a) {
				c.say("spoiler", p.Path, l.N, "%q is in the answer to exercise %s; put it into <details>, after the exercise's box", a, e.ID)
			}
		}
	}
}

var proof = regexp.MustCompile(`<!-- proof: (.+?) -->`)

func (c *checker) proofs(p *md.Page) {
	for _, l := range p.Lines {
		for _, m := range proof.FindAllStringSubmatch(l.Text, -1) {
			if err := c.proven(m[1]); err != nil {
				c.say("proof", p.Path, l.N, "%v", err)
			}
		}
	}
}

// proven says whether a proof "stage3-storage TestX" is there.
func (c *checker) proven(proof string) error {
	_, err := c.Test(proof)
	return err
}

// Test finds the package of a proof "stage3-storage TestX".
func (b *Book) Test(proof string) (*tree.Package, error) {
	words := strings.Fields(proof)
	if len(words) != 2 {
		return nil, fmt.Errorf("%q is no proof; write a stage and a test, such as stage3-storage TestErratumE8", proof)
	}
	for _, p := range b.Packages {
		for _, f := range p.Tests {
			if p.Stage.Dir == words[0] && f.AST != nil && declares(f, words[1]) {
				return p, nil
			}
		}
	}
	return nil, fmt.Errorf("%s has no test %s", words[0], words[1])
}

func declares(f *tree.File, test string) bool {
	return strings.Contains(string(f.Src), "\nfunc "+test+"(")
}

// words looks for what the glossary says to avoid.
func (c *checker) words(p *md.Page, lang string) {
	if path.Base(p.Path) == "glossary.md" {
		return
	}
	for _, r := range c.glossary {
		for _, avoid := range strings.Split(r.Get("avoid."+lang), ";") {
			if avoid = strings.TrimSpace(avoid); avoid == "" {
				continue
			}
			for _, l := range p.Lines {
				if l.Fence == "" && !l.Block && strings.Contains(md.Plain(l.Text), avoid) {
					c.say("word", p.Path, l.N, "%q: the glossary says %q", avoid, r.Get(lang))
				}
			}
		}
	}
}

// tables checks the rows of docs/data.
func (c *checker) tables() {
	seen := map[string]bool{}
	at := func(r tsv.Row, format string, args ...any) { c.say("table", Data+r.File, r.Line, format, args...) }
	for _, r := range append(c.path, c.errata...) {
		if !lint.KnownParagraph(r.Get("article")) {
			at(r, "%q is no paragraph of the article", r.Get("article"))
		}
		if addr := r.Get("at"); addr != "" || r.Get("stage") != "" {
			if _, err := c.Tree.Resolve(addr); err != nil {
				at(r, "%v", err)
			}
		}
	}
	for _, r := range c.errata {
		if k := r.Get("kind"); k != "not-so" && k != "since" {
			at(r, "kind %q; write not-so (in 1.7) or since (changed since then)", k)
		}
		if seen[r.Get("id")] {
			at(r, "%s is there twice", r.Get("id"))
		}
		seen[r.Get("id")] = true
		for _, column := range ErrataColumns {
			if column != "at" && column != "words" && r.Get(column) == "" {
				at(r, "%s has no %s", r.Get("id"), column)
			}
		}
		if p := r.Get("proof"); p != "" && !strings.HasPrefix(p, "https://") {
			if err := c.proven(p); err != nil {
				at(r, "%s: %v", r.Get("id"), err)
			}
		}
	}
}
