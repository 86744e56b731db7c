package book

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"example.com/kube-apiserver/docs/tools/lint"
	"example.com/kube-apiserver/docs/tools/md"
)

// Lock is where the accepted hashes are, below the root.
const Lock = "docs/i18n.lock"

// accepted are the hashes of one section.
type accepted struct{ en, zh string }

// readLock reads the accepted sections, by "3-storage 3.2".
func (b *Book) readLock() (map[string]accepted, error) {
	src, err := os.ReadFile(b.Tree.Abs(Lock))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all := map[string]accepted{}
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		f := strings.Fields(line)
		if len(f) != 4 || !strings.HasPrefix(f[2], "en:") || !strings.HasPrefix(f[3], "zh:") {
			return nil, fmt.Errorf("%s:%d: %q is not like 3-storage 3.2 en:… zh:…", Lock, n, strings.TrimSpace(line))
		}
		all[f[0]+" "+f[1]] = accepted{f[2][3:], f[3][3:]}
	}
	return all, nil
}

// present hashes all sections that are in both languages, with where they are.
func (c *checker) present() (hashes map[string]accepted, where map[string]md.Section, pages map[string]string) {
	hashes, where, pages = map[string]accepted{}, map[string]md.Section{}, map[string]string{}
	for _, dirs := range pairs {
		en, zh := c.in(dirs["en"]), c.in(dirs["zh"])
		for _, name := range sorted(en) {
			if zh[name] == nil || len(zh[name].Sections) != len(en[name].Sections) {
				continue // pair has said so
			}
			for i, s := range en[name].Sections {
				key := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(en[name].Path, ".md"), "docs/"), "en/")
				key = strings.Replace(key, "/en/", "/", 1) + " " + s.Number
				if i == 0 && blank(s) {
					continue
				}
				if s.Number == "" {
					key += fmt.Sprintf("#%d", i)
				}
				hashes[key] = accepted{hash(s), hash(zh[name].Sections[i])}
				where[key], pages[key] = s, en[name].Path
			}
		}
	}
	return hashes, where, pages
}

func blank(s md.Section) bool {
	return !slices.ContainsFunc(s.Lines, func(l md.Line) bool { return strings.TrimSpace(l.Text) != "" })
}

func hash(s md.Section) string {
	sum := sha256.New()
	for _, l := range s.Lines {
		if !l.Block {
			fmt.Fprintln(sum, strings.TrimSpace(l.Text))
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:8]
}

// lag says which sections are not as they were accepted.
func (c *checker) lag() error {
	locked, err := c.readLock()
	if err != nil {
		return err
	}
	now, where, pages := c.present()
	for _, key := range sorted(now) {
		page, number, _ := strings.Cut(key, " ")
		was, ok := locked[key]
		which := "both languages"
		switch is := now[key]; {
		case ok && was == is:
			continue
		case ok && was.zh == is.zh:
			which = "en only"
		case ok && was.en == is.en:
			which = "zh only"
		case !ok:
			which = "new"
		}
		text := "make i18n-ok accepts it"
		if strings.HasSuffix(which, "only") {
			text = fmt.Sprintf("look at the other language, then make i18n-ok C=%s S=%s", page, number)
		}
		c.say("lag", pages[key], max(where[key].Line, 1), "section %s has changed (%s); %s", number, which, text)
	}
	for _, key := range sorted(locked) {
		if _, ok := now[key]; !ok {
			c.say("lag", Lock, 1, "section %s is no longer there; make i18n-ok", key)
		}
	}
	return nil
}

// Accept writes the lock. Alone it accepts the sections that are new, gone, or
// changed in both languages; with a page and a section, that one as well. While
// the languages differ in form it refuses.
func (b *Book) Accept(page, section string) ([]lint.Problem, error) {
	pages, _, err := b.Pages()
	if err != nil {
		return nil, err
	}
	c := &checker{Book: b, pages: map[string]*md.Page{}}
	for _, p := range pages {
		c.pages[p.Path] = p
	}
	for _, pair := range pairs {
		c.pair(pair)
	}
	if len(c.found) > 0 {
		return c.found, nil
	}
	locked, err := b.readLock()
	if err != nil {
		return nil, err
	}
	now, _, _ := c.present()
	var out strings.Builder
	for _, key := range sorted(now) {
		was, ok := locked[key]
		is := now[key]
		if ok && key != page+" "+section && (was.en == is.en) != (was.zh == is.zh) {
			is = was // changed in one language only
		}
		fmt.Fprintf(&out, "%s en:%s zh:%s\n", key, is.en, is.zh)
	}
	if _, ok := now[page+" "+section]; page != "" && !ok {
		return nil, fmt.Errorf("there is no section %s in %s", section, page)
	}
	return nil, os.WriteFile(b.Tree.Abs(Lock), []byte(out.String()), 0o644)
}
