package ex

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/docs/tools/tree"
	"github.com/rogpeppe/go-internal/txtar"
)

// Exercise is one file of docs/exercises.
type Exercise struct {
	ID      string // such as 3.2
	File    string // below the root
	Stage   tree.Stage
	Blanks  []Blank
	Tests   []Tests
	Minutes int
	Level   string
	Open    bool
	Race    bool
	Breaks  []string

	title map[string]string
	files map[string]string
}

// Blank is a place in a file below the stage.
type Blank struct{ File, Name string }

// Tests are tests of one package below the stage.
type Tests struct {
	Package string // such as ./storage
	Names   []string
}

// Dir is where the exercises are, below the root.
const Dir = "docs/exercises"

// Load reads the exercise with this id.
func Load(t *tree.Tree, id string) (*Exercise, error) {
	file := Dir + "/" + id + ".txtar"
	src, err := os.ReadFile(t.Abs(file))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no exercise %s (no file %s)", id, file)
	}
	if err != nil {
		return nil, err
	}
	return Parse(t, id, file, src)
}

var idShape = regexp.MustCompile(`^([1-9])(\.[1-9][0-9]?)?$`)

// All reads every exercise, in the order of their numbers.
func All(t *tree.Tree) ([]*Exercise, error) {
	names, err := filepath.Glob(t.Abs(Dir) + "/*.txtar")
	if err != nil {
		return nil, err
	}
	var all []*Exercise
	for _, name := range names {
		e, err := Load(t, strings.TrimSuffix(filepath.Base(name), ".txtar"))
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *Exercise) int {
		return cmp.Or(cmp.Compare(a.Stage.N, b.Stage.N), cmp.Compare(a.section(), b.section()))
	})
	return all, nil
}

func (e *Exercise) section() int {
	_, m, _ := strings.Cut(e.ID, ".")
	n, _ := strconv.Atoi(m)
	return n
}

// Parse reads one exercise.
func Parse(t *tree.Tree, id, file string, src []byte) (*Exercise, error) {
	a := txtar.Parse(src)
	e := &Exercise{ID: id, File: file, title: map[string]string{}, files: map[string]string{}}
	if !idShape.MatchString(id) || !strings.Contains(id, ".") {
		return nil, fmt.Errorf("%s: an exercise's file is named after its section, such as 3.2.txtar", file)
	}
	n := 0
	for line := range strings.Lines(string(a.Comment)) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		if err := e.header(t, key, strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	for _, f := range a.Files {
		e.files[f.Name] = string(f.Data)
	}
	if e.Stage.Dir == "" {
		return nil, fmt.Errorf("%s: a line like stage: stage3-storage is missing", file)
	}
	if e.Open == (len(e.Blanks) > 0) {
		return nil, fmt.Errorf("%s: an exercise has lines blank:, or the line kind: open", file)
	}
	return e, nil
}

func (e *Exercise) header(t *tree.Tree, key, value string) (err error) {
	switch key {
	case "title.en", "title.zh":
		e.title[strings.TrimPrefix(key, "title.")] = value
	case "stage":
		i := slices.IndexFunc(t.Stages, func(s tree.Stage) bool { return s.Dir == value })
		if i < 0 {
			return fmt.Errorf("there is no stage %q", value)
		}
		e.Stage = t.Stages[i]
	case "blank":
		file, name, ok := strings.Cut(value, "#")
		if !ok {
			return fmt.Errorf("blank: %q is no address like storage/store.go#step:3.2", value)
		}
		e.Blanks = append(e.Blanks, Blank{file, name})
	case "tests":
		words := strings.Fields(value)
		if len(words) < 2 || !strings.HasPrefix(words[0], ".") {
			return fmt.Errorf("tests: %q is not a package like ./storage and its tests", value)
		}
		if words[0] != "." {
			words[0] = "./" + path.Clean(words[0])
		}
		e.Tests = append(e.Tests, Tests{words[0], words[1:]})
	case "minutes":
		e.Minutes, err = strconv.Atoi(value)
	case "level":
		e.Level = value
	case "kind":
		if e.Open = value == "open"; !e.Open {
			return fmt.Errorf("kind: %q; the only kind to name is open", value)
		}
	case "race":
		e.Race, err = strconv.ParseBool(value)
	case "breaks":
		e.Breaks = append(e.Breaks, strings.Fields(value)...)
	default:
		return fmt.Errorf("unknown key %q", key)
	}
	return err
}

// Title is the title in a language.
func (e *Exercise) Title(lang string) string { return e.title[lang] }

// Why is shown after success.
func (e *Exercise) Why(lang string) string { return e.files["why."+lang+".md"] }

// Hint is a hint of grade 1 to 3; the third is code, the same in all languages.
func (e *Exercise) Hint(grade int, lang string) string {
	if grade == 3 {
		return e.files["hint.3.go"]
	}
	return e.files[fmt.Sprintf("hint.%d.%s.md", grade, lang)]
}

// part is the name of the file for blank i: stub.go for the first, stub.2.go for the second.
func part(name string, i int) string {
	if i == 0 {
		return name + ".go"
	}
	return fmt.Sprintf("%s.%d.go", name, i+1)
}

// Stub is what stands in place of blank i at the start.
func (e *Exercise) Stub(i int) string {
	if s, ok := e.files[part("stub", i)]; ok {
		return s
	}
	return fmt.Sprintf("panic(\"step %s: not written yet (make hint E=%s)\")\n", e.ID, e.ID)
}

// Traps are the names of the known wrong answers.
func (e *Exercise) Traps() []string {
	names := map[string]bool{}
	for f := range e.files {
		if rest, ok := strings.CutPrefix(f, "trap."); ok {
			name, _, _ := strings.Cut(rest, ".")
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Trap is what a wrong answer has at blank i; false if it has the right thing there.
func (e *Exercise) Trap(name string, i int) (string, bool) {
	s, ok := e.files[part("trap."+name, i)]
	return s, ok
}

// TrapText says what somebody believed who wrote it.
func (e *Exercise) TrapText(name, lang string) string { return e.files["trap."+name+"."+lang+".md"] }

// Reference is the stage's own text of blank i.
func (e *Exercise) Reference(t *tree.Tree, i int) (string, error) {
	b := e.Blanks[i]
	src, err := os.ReadFile(t.Abs(e.Stage.Dir + "/" + b.File))
	if err != nil {
		return "", err
	}
	return tree.Region(src, b.Name)
}

// TestNames are the names of all its tests.
func (e *Exercise) TestNames() (names []string) {
	for _, ts := range e.Tests {
		names = append(names, ts.Names...)
	}
	return names
}

// Packages are the packages of its tests.
func (e *Exercise) Packages() (pkgs []string) {
	for _, ts := range e.Tests {
		pkgs = append(pkgs, ts.Package)
	}
	return pkgs
}

// Patch is the answer of an open exercise.
func (e *Exercise) Patch() string { return e.files["solution.patch"] }
