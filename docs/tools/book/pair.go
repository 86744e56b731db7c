package book

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"example.com/kube-apiserver/docs/tools/md"
)

// headings of the article, which English pages may quote.
var headings = strings.NewReplacer("main函数", "", "初始化配置", "", "准备资源", "", "启动服务", "", "中文", "")

// pair compares the pages of two languages, section by section.
func (c *checker) pair(dirs map[string]string) {
	en, zh := c.in(dirs["en"]), c.in(dirs["zh"])
	for _, name := range sorted(en) {
		if zh[name] == nil {
			c.say("pair", en[name].Path, 1, "there is no %s/%s", dirs["zh"], name)
			continue
		}
		c.sections(en[name], zh[name])
	}
	for _, name := range sorted(zh) {
		if en[name] == nil {
			c.say("pair", zh[name].Path, 1, "there is no %s/%s", dirs["en"], name)
		}
	}
}

func (c *checker) in(dir string) map[string]*md.Page {
	pages := map[string]*md.Page{}
	for path, p := range c.pages {
		if name, ok := strings.CutPrefix(path, dir+"/"); ok && name != "README.md" { // the doors differ
			pages[name] = p
		}
	}
	return pages
}

func (c *checker) sections(en, zh *md.Page) {
	outline := func(p *md.Page) (heads []string) {
		for _, s := range p.Sections[1:] {
			heads = append(heads, strings.TrimSpace(strings.Repeat("#", s.Level)+" "+s.Number))
		}
		return heads
	}
	one, two := outline(en), outline(zh)
	for i := range max(len(one), len(two)) {
		if i >= len(one) || i >= len(two) || one[i] != two[i] {
			missing := fmt.Sprintf("the headings differ from number %d on: %q here, %q in %s", i+1, rest(one, i), rest(two, i), zh.Path)
			c.say("pair", en.Path, en.Sections[min(i+1, len(en.Sections)-1)].Line, "%s", missing)
			return
		}
	}
	for i := range en.Sections {
		a, b := en.Sections[i], zh.Sections[i]
		c.equal(en, a, b, "code", code(a), code(b))
		c.equal(en, a, b, "blocks and proofs", directives(a), directives(b))
		c.equal(en, a, b, "links and images", c.targets(en, a), c.targets(zh, b))
		c.equal(en, a, b, "rows of tables", rowsOf(a), rowsOf(b))
		c.equal(en, a, b, "names in backquotes", sorted(md.Names(a.Lines)), sorted(md.Names(b.Lines)))
		c.script(en, a, "en")
		c.script(zh, b, "zh")
	}
}

func rest(heads []string, i int) string {
	if i < len(heads) {
		return heads[i]
	}
	return "nothing"
}

func (c *checker) equal(p *md.Page, a, b md.Section, what string, one, two []string) {
	if slices.Equal(one, two) {
		return
	}
	var only []string
	for _, x := range one {
		if !slices.Contains(two, x) {
			only = append(only, "here alone "+x)
		}
	}
	for _, x := range two {
		if !slices.Contains(one, x) {
			only = append(only, "there alone "+x)
		}
	}
	if only == nil {
		only = []string{fmt.Sprintf("%d here, %d there, or in another order", len(one), len(two))}
	}
	c.say("pair", p.Path, max(a.Line, 1), "section %q: the two languages have different %s: %s", strings.TrimSpace(a.Number+" "+a.Title), what, strings.Join(only, "; "))
}

var labels = regexp.MustCompile(`\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|"[^"]*"|:.*$|\|[^|]*\|`)

// code is what stands in fences, but for prose and labels.
func code(s md.Section) (lines []string) {
	for _, l := range s.Lines {
		switch {
		case l.Fence == "" || l.Block || l.Fence == "text" && !strings.HasPrefix(l.Text, "```"):
		case l.Fence == "mermaid":
			lines = append(lines, strings.TrimSpace(labels.ReplaceAllString(l.Text, "")))
		default:
			lines = append(lines, l.Text)
		}
	}
	return lines
}

var anyDirective = regexp.MustCompile(`<!-- .*? -->|<details|</details|<a id="[^"]*"`)

func directives(s md.Section) (all []string) {
	for _, l := range s.Lines {
		if l.Fence == "" && !l.Block {
			all = append(all, anyDirective.FindAllString(l.Text, -1)...)
		}
	}
	return all
}

// targets are the section's links, as if both languages were one.
func (c *checker) targets(p *md.Page, s md.Section) (all []string) {
	part := md.Page{Path: p.Path, Lines: slices.DeleteFunc(slices.Clone(s.Lines), func(l md.Line) bool { return l.Block })}
	for _, l := range part.Links() {
		target := strings.NewReplacer("/zh/", "/LANG/", "/en/", "/LANG/").Replace("/" + l.Target)
		all = append(all, target[1:])
	}
	slices.Sort(all) // the words of another language have another order
	return all
}

func rowsOf(s md.Section) (rows []string) {
	for _, l := range s.Lines {
		if l.Fence == "" && !l.Block && strings.HasPrefix(l.Text, "|") {
			rows = append(rows, "a row")
		}
	}
	return rows
}

// script looks whether a section is in its language.
func (c *checker) script(p *md.Page, s md.Section, lang string) {
	letters, han := 0, 0
	for _, l := range s.Lines {
		if l.Fence != "" || l.Block || lang == "zh" && strings.HasPrefix(l.Text, "#") {
			continue
		}
		for _, r := range headings.Replace(md.Plain(l.Text)) {
			switch {
			case unicode.Is(unicode.Han, r):
				han++
				if lang == "en" {
					c.say("pair", p.Path, l.N, "Chinese in the English page: %q", l.Text)
					return
				}
			case unicode.IsLetter(r):
				letters++
			}
		}
	}
	if lang == "zh" && letters > 80 && han == 0 {
		c.say("pair", p.Path, max(s.Line, 1), "this section is not in Chinese")
	}
}
