package md

import (
	"regexp"
	"strings"
	"unicode"
)

// Link is a link or an image.
type Link struct {
	Line   int
	Target string
	Image  bool
}

var (
	link   = regexp.MustCompile(`(!?)\[[^\]]*\]\(([^)\s]+)[^)]*\)`)
	anchor = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	quoted = regexp.MustCompile("`[^`]+`")
)

// Links are all links outside of fences and of code in backquotes.
func (p *Page) Links() (links []Link) {
	for _, l := range p.Lines {
		if l.Fence != "" {
			continue
		}
		// Code in backquotes is taken out, so that f[i](x) is no link; the text of a link may be code.
		text := quoted.ReplaceAllString(l.Text, "x")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			links = append(links, Link{l.N, m[2], m[1] == "!"})
		}
	}
	return links
}

// Names are what stands in backquotes outside of blocks and fences.
func Names(lines []Line) map[string]bool {
	names := map[string]bool{}
	for _, l := range lines {
		if l.Fence == "" && !l.Block {
			for _, n := range quoted.FindAllString(l.Text, -1) {
				names[n] = true
			}
		}
	}
	return names
}

// Anchors are the places in a page that a link can name.
func (p *Page) Anchors() map[string]bool {
	all := map[string]bool{}
	for _, l := range p.Lines {
		if l.Fence == "" {
			for _, m := range anchor.FindAllStringSubmatch(l.Text, -1) {
				all[m[1]] = true
			}
		}
	}
	for _, s := range p.Sections[1:] {
		all[slug(strings.TrimSpace(s.Number+" "+s.Title))] = true
	}
	return all
}

// slug is the anchor that GitHub makes of a heading.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// Plain is a line without code in backquotes and without comments.
func Plain(text string) string {
	return comment.ReplaceAllString(quoted.ReplaceAllString(text, ""), "")
}

var comment = regexp.MustCompile(`<!--.*?-->`)
