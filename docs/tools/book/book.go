package book

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/kube-apiserver/docs/tools/ex"
	"example.com/kube-apiserver/docs/tools/lint"
	"example.com/kube-apiserver/docs/tools/md"
	"example.com/kube-apiserver/docs/tools/see"
	"example.com/kube-apiserver/docs/tools/tree"
	"example.com/kube-apiserver/docs/tools/tsv"
	"github.com/rogpeppe/go-internal/txtar"
)

// Book is all that pages are filled from.
type Book struct {
	Tree      *tree.Tree
	Packages  []*tree.Package
	Exercises []*ex.Exercise

	scripts                                           map[string]map[string]string // transcript → file → text
	paragraphs, path, errata, glossary, sources, plan []tsv.Row
}

// The columns of the tables.
var (
	paragraphColumns = []string{"id", "stages", "en", "zh"}
	PathColumns      = []string{"stage", "article", "at", "en", "zh"}
	ErrataColumns    = []string{"id", "article", "kind", "words", "says.en", "says.zh", "ask.en", "ask.zh", "truth.en", "truth.zh", "at", "proof"}
	glossaryColumns  = []string{"key", "en", "zh", "avoid.en", "avoid.zh", "ours", "upstream", "says.en", "says.zh"}
)

// Data is where the tables are, below the root.
const Data = "docs/data/"

// Load reads everything.
func Load(t *tree.Tree) (*Book, error) {
	b := &Book{Tree: t, scripts: map[string]map[string]string{}}
	var err error
	if b.Packages, err = t.Packages(t.Stages...); err != nil {
		return nil, err
	}
	if b.Exercises, err = ex.All(t); err != nil {
		return nil, err
	}
	for _, table := range []struct {
		rows    *[]tsv.Row
		file    string
		columns []string
	}{
		{&b.paragraphs, "paragraphs.tsv", paragraphColumns},
		{&b.path, "path.tsv", PathColumns},
		{&b.errata, "errata.tsv", ErrataColumns},
		{&b.glossary, "glossary.tsv", glossaryColumns},
		{&b.sources, "upstream.tsv", []string{"which", "base"}},
	} {
		if *table.rows, err = tsv.Read(t.Abs(Data+table.file), table.columns...); err != nil {
			return nil, err
		}
	}
	if b.plan, err = tsv.Read(t.Abs(Plan), planColumns...); err != nil {
		return nil, err
	}
	files, err := see.Files(t, 0)
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		parts := map[string]string{}
		for _, f := range a.Files {
			parts[f.Name] = string(f.Data)
		}
		b.scripts[strings.TrimSuffix(filepath.Base(file), ".txtar")] = parts
	}
	return b, err
}

// pairs are the folders of the two languages.
var pairs = []map[string]string{
	{"en": "docs/en", "zh": "docs/zh"},
	{"en": "docs/workshop/en", "zh": "docs/workshop/zh"},
}

// Pages are all pages, each with its language.
func (b *Book) Pages() (pages []*md.Page, langs []string, err error) {
	for _, pair := range pairs {
		for _, lang := range md.Langs {
			byName, err := md.Pages(b.Tree.Root, pair[lang])
			if err != nil {
				return nil, nil, err
			}
			for _, name := range sorted(byName) {
				pages, langs = append(pages, byName[name]), append(langs, lang)
			}
		}
	}
	names := []string{"README.md", "docs/README.md"}
	for _, s := range b.Tree.Stages {
		names = append(names, s.Dir+"/README.md")
	}
	for _, name := range names {
		if p, err := md.Read(b.Tree.Root, name); err == nil {
			pages, langs = append(pages, p), append(langs, "en")
		}
	}
	return pages, langs, nil
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Fill returns the text of a page with all blocks filled.
func (b *Book) Fill(p *md.Page, lang string) (string, []lint.Problem) {
	var out strings.Builder
	var found []lint.Problem
	at := 0
	copyTo := func(end int) {
		for ; at < end; at++ {
			out.WriteString(p.Lines[at].Text + "\n")
		}
	}
	for _, block := range p.Blocks {
		if !block.Ended {
			found = append(found, lint.Problem{Check: "block", File: p.Path, Line: block.Line, Text: fmt.Sprintf("the block has no end; write <!-- /%s --> after it", block.Kind)})
			continue
		}
		text, err := b.block(block, lang, up(p.Path))
		if err != nil {
			found = append(found, lint.Problem{Check: "block", File: p.Path, Line: block.Line, Text: err.Error()})
			continue
		}
		copyTo(block.From)
		out.WriteString(strings.TrimRight(text, "\n") + "\n")
		at = block.To
	}
	copyTo(len(p.Lines))
	return out.String(), found
}

// up is the way from a page to the root.
func up(page string) string { return strings.Repeat("../", strings.Count(path.Clean(page), "/")) }

func (b *Book) block(block md.Block, lang, up string) (string, error) {
	switch block.Kind {
	case "code":
		return b.code(block.Args, up)
	case "see":
		return b.see(block.Args)
	case "ex":
		return b.box(block.Args, lang)
	}
	name, arg, _ := strings.Cut(block.Args, " ")
	table, ok := tables[name]
	if !ok {
		return "", fmt.Errorf("there is no table %q; there are %s", name, strings.Join(sorted(tables), ", "))
	}
	return table(b, arg, lang, up)
}

func (b *Book) code(addr, up string) (string, error) {
	p, err := b.Tree.Resolve(addr)
	if err != nil {
		return "", err
	}
	caption := fmt.Sprintf("[`%s`](%s%s)", p.File, up, p.File)
	if !strings.HasPrefix(p.Name, "step:") {
		caption += " `" + p.Name + "`"
	}
	return caption + "\n\n```go\n" + strings.TrimRight(p.Text, "\n") + "\n```\n", nil
}

func (b *Book) see(args string) (string, error) {
	script, names, ok := strings.Cut(args, "#")
	parts := b.scripts[script]
	if !ok || parts == nil {
		return "", fmt.Errorf("%q names no transcript; write stage3#create for create.cmd in docs/transcripts/stage3.txtar", args)
	}
	var out strings.Builder
	out.WriteString("```console\n")
	for _, name := range strings.Fields(names) {
		cmd := parts[name+".cmd"]
		printed, recorded := parts[name+".out"]
		if name == "server" {
			cmd, printed = "make "+script[:len("stage1")]+"\n", firstStart(printed)
		}
		if cmd == "" {
			return "", fmt.Errorf("%s.txtar has no %s.cmd", script, name)
		}
		if !recorded {
			return "", fmt.Errorf("%s.txtar has no %s.out yet; bin/lab see -update %s", script, name, script[len("stage"):len("stage1")])
		}
		out.WriteString(prompted(cmd) + printed)
	}
	return out.String() + "```\n", nil
}

// firstStart is what a server printed until it was started again.
func firstStart(log string) string {
	line, rest, _ := strings.Cut(log, "\n")
	rest, _, _ = strings.Cut(rest, line+"\n")
	return line + "\n" + rest
}

// prompted puts a prompt before each command. Lines that go on, with a
// backslash or up to the end of a here-document, have none, so that one can
// copy them.
func prompted(cmd string) string {
	var out strings.Builder
	continued, until := false, ""
	for line := range strings.Lines(cmd) {
		if !continued && until == "" && !strings.HasPrefix(line, "#") {
			out.WriteString("$ ")
		}
		out.WriteString(line)
		text := strings.TrimRight(line, "\n")
		continued = strings.HasSuffix(text, `\`)
		if _, word, here := strings.Cut(text, "<<"); here {
			until, _, _ = strings.Cut(word, " ")
		} else if text == until {
			until = ""
		}
	}
	return out.String()
}

func (b *Book) exercise(id string) (*ex.Exercise, error) {
	i := slices.IndexFunc(b.Exercises, func(e *ex.Exercise) bool { return e.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("there is no exercise %s (no file docs/exercises/%s.txtar)", id, id)
	}
	return b.Exercises[i], nil
}

func (b *Book) box(id, lang string) (string, error) {
	e, err := b.exercise(id)
	if err != nil {
		return "", err
	}
	what := fmt.Sprintf("**Exercise %s: %s** (%s, about %d min)", id, e.Title(lang), e.Level, e.Minutes)
	if lang == "zh" {
		level := map[string]string{"core": "核心", "stretch": "进阶"}[e.Level]
		what = fmt.Sprintf("**练习 %s：%s**（%s，约 %d 分钟）", id, e.Title(lang), level, e.Minutes)
	}
	return fmt.Sprintf("> %s\n>\n> `make exercise E=%[2]s` · `make check E=%[2]s` · `make hint E=%[2]s` · `make solution E=%[2]s`\n", what, id), nil
}

// Write fills all pages and says which of them changed.
func (b *Book) Write() (changed []string, found []lint.Problem, err error) {
	pages, langs, err := b.Pages()
	if err != nil {
		return nil, nil, err
	}
	for i, p := range pages {
		text, problems := b.Fill(p, langs[i])
		found = append(found, problems...)
		if text == textOf(p) {
			continue
		}
		if err := os.WriteFile(b.Tree.Abs(p.Path), []byte(text), 0o644); err != nil {
			return nil, nil, err
		}
		changed = append(changed, p.Path)
	}
	return changed, found, nil
}

func textOf(p *md.Page) string {
	var out strings.Builder
	for _, l := range p.Lines {
		out.WriteString(l.Text + "\n")
	}
	return out.String()
}
