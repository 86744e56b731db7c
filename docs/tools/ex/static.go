package ex

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"

	"example.com/kube-apiserver/docs/tools/md"
	"example.com/kube-apiserver/docs/tools/tree"
)

// static runs the gates that need no go command: G1, G7, G8.
func (v *Verifier) static(e *Exercise) []Finding {
	g := &gates{e: e, t: v.Tree}
	g.complete()
	g.chapters()
	if len(g.found) == 0 && !e.Open {
		g.returns()
	}
	g.size()
	return g.found
}

type gates struct {
	e     *Exercise
	t     *tree.Tree
	found []Finding
}

func (g *gates) say(gate, format string, args ...any) {
	g.found = append(g.found, Finding{g.e.ID, gate, fmt.Sprintf(format, args...)})
}

func (g *gates) complete() {
	e := g.e
	if fmt.Sprint(e.Stage.N) != e.ID[:1] {
		g.say("G1", "exercise %s is one of %s; its number begins with its stage's", e.ID, e.Stage.Dir)
	}
	for i, b := range e.Blanks {
		if _, err := e.Reference(g.t, i); err != nil {
			g.say("G1", "blank %s#%s: %v", b.File, b.Name, err)
		}
	}
	if len(e.Tests) == 0 {
		g.say("G1", "no line tests: names what proves it")
	}
	for _, lang := range md.Langs {
		for what, text := range map[string]string{"title." + lang: e.Title(lang), "why." + lang + ".md": e.Why(lang)} {
			if strings.TrimSpace(text) == "" {
				g.say("G1", "%s is missing", what)
			}
		}
		for grade := 1; grade <= 3; grade++ {
			if strings.TrimSpace(e.Hint(grade, lang)) == "" {
				g.say("G1", "hint %d is missing (%s)", grade, lang)
			}
		}
		for _, trap := range e.Traps() {
			if strings.TrimSpace(e.TrapText(trap, lang)) == "" {
				g.say("G1", "trap.%s.%s.md is missing", trap, lang)
			}
		}
	}
}

func (g *gates) chapters() {
	for _, lang := range md.Langs {
		page, err := md.Chapter(g.t.Root, lang, fmt.Sprint(g.e.Stage.N))
		if err != nil {
			g.say("G1", "there is no chapter docs/%s/%d-….md", lang, g.e.Stage.N)
			continue
		}
		if _, ok := page.Section(g.e.ID); !ok {
			g.say("G1", "%s has no section %s", page.Path, g.e.ID)
		} else if page.Task(g.e.ID) == "" {
			g.say("G1", "%s has no box <!-- ex: %s --> … <!-- /ex --> with a paragraph after it that says the task", page.Path, g.e.ID)
		}
	}
}

// returns is G7.
func (g *gates) returns() {
	e := g.e
	files, err := e.with(g.t.Abs(e.Stage.Dir), e.stubOr(""), tree.Replace)
	for i, b := range e.Blanks {
		if err != nil {
			break
		}
		var ref string
		if ref, err = e.Reference(g.t, i); err == nil {
			files[b.File], err = tree.Replace(files[b.File], b.Name, ref)
		}
	}
	if err != nil {
		g.say("G7", "%v", err)
		return
	}
	for file, got := range files {
		if want, _ := os.ReadFile(g.t.Abs(e.Stage.Dir + "/" + file)); !bytes.Equal(got, want) {
			g.say("G7", "the solution put into the blank does not give %s again; is it as gofmt has it, and are its imports named where their path does not name them?", file)
		}
	}
}

// size is G8.
func (g *gates) size() {
	e, lines := g.e, 0
	for i, b := range e.Blanks {
		src, _ := os.ReadFile(g.t.Abs(e.Stage.Dir + "/" + b.File))
		ref, err := e.Reference(g.t, i)
		if err != nil {
			continue
		}
		lines += strings.Count(ref, "\n")
		for _, p := range append([]string{""}, e.Traps()...) {
			body, ok := e.stubOr(p)(i)
			if _, given := e.files[part("stub", i)]; !ok || p == "" && !given {
				continue
			}
			if f, err := formatted(src, b.Name, body); err != nil || f != body {
				g.say("G8", "%s is not as gofmt has it, at the depth of its place", map[bool]string{true: part("stub", i), false: part("trap."+p, i)}[p == ""])
			}
		}
	}
	for line := range strings.Lines(e.files["solution.patch"]) {
		if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") {
			lines++
		}
	}
	if lines < 1 || lines > 40 {
		g.say("G8", "the solution has %d lines; 1 to 40 are an exercise", lines)
	}
	if e.Minutes < 1 {
		g.say("G8", "no line minutes: says how long it takes")
	}
	if e.Level != "core" && e.Level != "stretch" {
		g.say("G8", "level: is %q; write core or stretch", e.Level)
	}
}

func formatted(src []byte, name, body string) (string, error) {
	out, err := tree.Replace(src, name, body)
	if err != nil {
		return "", err
	}
	return tree.Region(out, name)
}

var compilerError = regexp.MustCompile("`([^`\n]*\\b(?:undefined: |declared and not used: |imported and not used|missing return|cannot use |redeclared|assignment mismatch|not enough |too many |invalid operation)[^`\n]*)`")

// quoted is G10.
func (v *Verifier) quoted(ctx context.Context, e *Exercise) (found []Finding, err error) {
	var said string // all that the compiler says, once it was asked
	for name, text := range e.files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		for _, m := range compilerError.FindAllStringSubmatch(text, -1) {
			if said == "" {
				if said, err = v.errors(ctx, e); err != nil {
					return nil, err
				}
			}
			if !strings.Contains(said, m[1]) {
				found = append(found, Finding{e.ID, "G10", fmt.Sprintf("%s quotes %q, which the compiler does not say of the blank, a trap or hint 3", name, m[1])})
			}
		}
	}
	return found, nil
}

// errors compiles what learners write on their way: the solution, hint 3 and
// each trap, put into the blank without mending imports.
func (v *Verifier) errors(ctx context.Context, e *Exercise) (string, error) {
	tries := map[string]func(i int) (string, bool){
		"solution": func(i int) (string, bool) { s, err := e.Reference(v.Tree, i); return s, err == nil },
		"hint3":    func(i int) (string, bool) { return e.Hint(3, ""), i == 0 },
		"stub":     e.stubOr(""),
	}
	for _, trap := range e.Traps() {
		tries["trap."+trap] = e.stubOr(trap)
	}
	said := " "
	for name, text := range tries {
		put := tree.Put
		if name != "stub" { // the stub alone meets the stage's own imports
			put = func(src []byte, name, body string) ([]byte, error) {
				blank, err := tree.Replace(src, name, "panic(0)\n")
				if err != nil {
					return nil, err
				}
				return tree.Put(blank, name, body)
			}
		}
		files, err := e.with(v.Tree.Abs(e.Stage.Dir), text, put)
		if err != nil {
			continue // not even Go
		}
		overlay, err := v.overlay(e, "say."+name, files)
		if err != nil {
			return "", err
		}
		said += strings.Join(Compiles(ctx, v.Tree.Abs(e.Stage.Dir), overlay, "./..."), "\n")
	}
	return said, nil
}
