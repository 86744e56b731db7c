package book

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/docs/tools/lint"
	"example.com/kube-apiserver/docs/tools/md"
	"example.com/kube-apiserver/docs/tools/tree"
	"example.com/kube-apiserver/docs/tools/tsv"
)

// tables by the name in <!-- gen: name argument -->.
var tables = map[string]func(b *Book, arg, lang, up string) (string, error){
	"stages": (*Book).stages, "paragraphs": (*Book).paragraphTable, "exercises": (*Book).exerciseTable, "path": (*Book).pathTable, "mapping": (*Book).mapping,
	"simplified": notes("Simplified"), "differs": notes("Differs"),
	"errata": errata("not-so"), "since": errata("since"), "glossary": (*Book).glossaryTable, "bench": (*Book).benchTable, "plan": (*Book).planTable,
}

// table writes rows as Markdown. A header is "English|中文".
func table(lang string, headers []string, rows [][]string) string {
	var out strings.Builder
	line := func(cells []string) {
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(strings.ReplaceAll(c, "|", `\|`), "\n", "<br>")
		}
		out.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	var head []string
	for _, h := range headers {
		head = append(head, in(lang, h))
	}
	line(head)
	out.WriteString("|" + strings.Repeat(" --- |", len(headers)) + "\n")
	for _, r := range rows {
		line(r)
	}
	return out.String()
}

// in takes a language's half of "English|中文".
func in(lang, both string) string {
	en, zh, two := strings.Cut(both, "|")
	if lang == "zh" && two {
		return zh
	}
	return en
}

// of says whether a table of stage arg, or of all, has something of stage n in it.
func of(arg string, n int) bool { return arg == "" || arg == strconv.Itoa(n) }

func (b *Book) stages(_, lang, up string) (string, error) {
	var rows [][]string
	for _, s := range b.Tree.Stages {
		var chapters []string
		for _, l := range []string{"zh", "en"} {
			if p, err := md.Chapter(b.Tree.Root, l, strconv.Itoa(s.N)); err == nil {
				chapters = append(chapters, fmt.Sprintf("[%s](%s%s)", map[string]string{"zh": "中文", "en": "English"}[l], up, p.Path))
			}
		}
		rows = append(rows, []string{fmt.Sprintf("[%s](%s%s)", s.Dir, up, s.Dir), b.about(s),
			strings.Join(chapters, " · ")})
	}
	return table(lang, []string{"stage|阶段", "paragraphs|段落", "chapter|章节"}, rows), nil
}

// about says which paragraphs a stage is about, three and more neighbours as a range.
func (b *Book) about(s tree.Stage) string {
	var parts, run []string
	end := func() {
		if len(run) > 2 {
			run = []string{run[0] + "–" + run[len(run)-1]}
		}
		parts, run = append(parts, run...), nil
	}
	part := ""
	for _, r := range b.paragraphs {
		about := slices.Contains(strings.Fields(r.Get("stages")), strconv.Itoa(s.N))
		if p, _, _ := strings.Cut(r.Get("id"), "."); !about || p != part {
			end()
			part = p
		}
		if about {
			run = append(run, r.Get("id"))
		}
	}
	end()
	return strings.Join(parts, ", ")
}

func (b *Book) paragraphTable(_, lang, _ string) (string, error) {
	var rows [][]string
	for _, r := range b.paragraphs {
		rows = append(rows, []string{r.Get("id"), r.Get(lang), strings.Join(strings.Fields(r.Get("stages")), in(lang, ", |、"))})
	}
	return table(lang, []string{"id|编号", "the article says|文章说", "stage|阶段"}, rows), nil
}

// paragraphRows: each paragraph of the article has its row, in order, in both
// languages, and each stage that a row names speaks of the paragraph.
func (c *checker) paragraphRows() {
	ids := lint.ParagraphIDs()
	for i, r := range c.paragraphs {
		at := func(format string, args ...any) { c.say("table", Data+r.File, r.Line, format, args...) }
		id := r.Get("id")
		if i >= len(ids) || id != ids[i] || i == len(c.paragraphs)-1 && i < len(ids)-1 {
			at("%s is row %d of %d; write one for each paragraph of the article, from %s to %s", id, i+1, len(c.paragraphs), ids[0], ids[len(ids)-1])
			return
		}
		if r.Get("en") == "" || r.Get("zh") == "" || r.Get("stages") == "" {
			at("%s has an empty cell", id)
		}
		for _, n := range strings.Fields(r.Get("stages")) {
			if !slices.ContainsFunc(c.Packages, func(p *tree.Package) bool { return strconv.Itoa(p.Stage.N) == n && speaksOf(p, id) }) {
				at("nothing in stage %s speaks of %s: no package has it in its Article line, and no comment has [%s]", n, id, id)
			}
		}
	}
}

func speaksOf(p *tree.Package, id string) bool {
	for _, list := range p.Doc.Get("Article") {
		if slices.Contains(strings.Split(list, ", "), id) {
			return true
		}
	}
	return slices.ContainsFunc(p.Files, func(f *tree.File) bool { return strings.Contains(string(f.Src), "["+id+"]") })
}

func (b *Book) exerciseTable(arg, lang, _ string) (string, error) {
	var rows [][]string
	minutes := 0
	for _, e := range b.Exercises {
		if of(arg, e.Stage.N) {
			rows = append(rows, []string{e.ID, e.Title(lang), in(lang, map[string]string{"core": "core|核心", "stretch": "stretch|进阶"}[e.Level]), strconv.Itoa(e.Minutes), "`" + strings.Join(e.TestNames(), "`, `") + "`"})
			minutes += e.Minutes
		}
	}
	rows = append(rows, []string{"", in(lang, "together|合计"), "", strconv.Itoa(minutes), ""})
	return table(lang, []string{"exercise|练习", "title|题目", "level|级别", "minutes|分钟", "proved by|由此证明"}, rows), nil
}

func (b *Book) pathTable(arg, lang, up string) (string, error) {
	var rows [][]string
	for _, r := range b.path {
		n, _ := strconv.Atoi(r.Get("stage"))
		if !of(arg, n) {
			continue
		}
		p, err := b.Tree.Resolve(r.Get("at"))
		if err != nil {
			return "", fmt.Errorf("%s: %w", r.At(), err)
		}
		rows = append(rows, []string{r.Get("article"), fmt.Sprintf("[`%s`](%s%s)", p.Name, up, p.File), r.Get(lang)})
	}
	return table(lang, []string{"paragraph|段落", "where|位置", "what to see|看什么"}, rows), nil
}

func (b *Book) mapping(arg, lang, up string) (string, error) {
	var rows [][]string
	for _, p := range b.Packages {
		if !of(arg, p.Stage.N) || len(p.Doc.Lines) == 0 {
			continue
		}
		one := func(key string) string { return strings.Join(p.Doc.Get(key), "") }
		rows = append(rows, []string{one("Article"), fmt.Sprintf("[%s](%s%s)", p.Dir, up, p.Dir), b.source("1.7", one("Upstream")), b.source("now", one("Now"))})
		for _, f := range p.Files {
			for _, d := range f.AST.Decls {
				name, then, now := counterpart(f, d)
				row := []string{"", fmt.Sprintf("[`%s`](%s%s)", name, up, f.Path), b.source("1.7", then), ""} // where it is today stands with the package
				if now != "" {
					row[3] = b.source("now", now)
				}
				if then+now != "" {
					rows = append(rows, row)
				}
			}
		}
	}
	return table(lang, []string{"paragraph|段落", "here|这里", "Kubernetes 1.7.3", "today|今天"}, rows), nil
}

// counterpart finds a declaration's lines Upstream and Now.
func counterpart(f *tree.File, d ast.Decl) (name, then, now string) {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc, name = d.Doc, tree.FuncName(d)
	case *ast.GenDecl:
		if len(d.Specs) == 1 {
			if t, ok := d.Specs[0].(*ast.TypeSpec); ok {
				doc, name = d.Doc, t.Name.Name
			}
		}
	}
	if doc == nil {
		return
	}
	for _, l := range tree.CommentLines(f, doc) {
		switch key, value, _ := tree.Keyed(l.Text); key {
		case "Upstream":
			then = value
		case "Now":
			now = value
		}
	}
	return
}

// source is "file symbol" as a link, if it is known where that release is.
func (b *Book) source(which, value string) string {
	file, symbol, ok := strings.Cut(value, " ")
	if !ok {
		return "—"
	}
	for _, r := range b.sources {
		if r.Get("which") == which {
			return fmt.Sprintf("[`%s`](%s%s) %s", symbol, r.Get("base"), file, file)
		}
	}
	return fmt.Sprintf("`%s` %s", symbol, file)
}

// notes makes a list of the Simplified or Differs lines. They are in English in
// both languages, as the code is.
func notes(key string) func(b *Book, arg, lang, up string) (string, error) {
	return func(b *Book, arg, lang, up string) (string, error) {
		var out strings.Builder
		for _, p := range b.Packages {
			for _, text := range p.Doc.Get(key) {
				if of(arg, p.Stage.N) {
					fmt.Fprintf(&out, "- [%s](%s%s): %s\n", p.Dir, up, p.Doc.File.Path, text)
				}
			}
		}
		if out.Len() == 0 {
			return in(lang, "Nothing.|无。"), nil
		}
		return out.String(), nil
	}
}

func errata(kind string) func(b *Book, arg, lang, up string) (string, error) {
	return func(b *Book, _, lang, up string) (string, error) {
		var rows [][]string
		for _, r := range b.errata {
			if r.Get("kind") != kind {
				continue
			}
			proof := r.Get("proof")
			if !strings.HasPrefix(proof, "http") {
				proof = "`" + proof + "`"
			}
			rows = append(rows, []string{r.Get("id"), r.Get("article"), "“" + r.Get("words") + "”", r.Get("says." + lang), r.Get("ask." + lang), r.Get("truth." + lang), proof})
		}
		return table(lang, []string{"id|编号", "paragraph|段落", "words|原文", "which says|意思是", "guess first|请先猜", "what the code does|代码的实际行为", "proof|证明"}, rows), nil
	}
}

func (b *Book) glossaryTable(_, lang, _ string) (string, error) {
	var rows [][]string
	for _, r := range b.glossary {
		rows = append(rows, []string{r.Get("en"), r.Get("zh"), r.Get("says." + lang), r.Get("ours"), r.Get("upstream")})
	}
	return table(lang, []string{"English", "中文", "what it is|含义", "here|这里", "upstream|上游"}, rows), nil
}

// benchTable is what make bench measured, of one group of rows.
func (b *Book) benchTable(group, lang, _ string) (string, error) {
	measured, err := tsv.Read(b.Tree.Abs(Data+"bench.tsv"), "group", "row", "cpu-us", "MB", "ms-until-ready", "what")
	if err != nil {
		return "", err
	}
	var rows [][]string
	for _, r := range measured {
		if r.Get("group") == group {
			rows = append(rows, []string{r.Get("row"), r.Get("cpu-us"), r.Get("MB"), r.Get("ms-until-ready")})
		}
	}
	if rows == nil {
		return "", fmt.Errorf("bench.tsv has no group %q", group)
	}
	return table(lang, []string{"row|行", "µs of processor|CPU 微秒", "MB|MB", "ms until ready|就绪前毫秒"}, rows), nil
}
