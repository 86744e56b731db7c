package ex

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/docs/tools/tree"
	"example.com/kube-apiserver/docs/tools/tsv"
)

// Progress is what a learner has done so far, kept in work/progress.tsv.
type Progress struct {
	file  string
	marks []*Mark
}

// Mark is the state of one exercise.
type Mark struct {
	ID     string
	Tries  int    // checks so far
	Row    int    // failures since the last success
	Hints  int    // the highest grade shown
	Seen   bool   // the solution
	Passed string // hash of what passed; empty if nothing has
	Trap   string // what it was cut from, with KIND=debug
}

// ReadProgress reads the file; without one nothing has been done.
func ReadProgress(t *tree.Tree) (*Progress, error) {
	p := &Progress{file: filepath.Join(Work(t), "progress.tsv")}
	rows, err := tsv.Read(p.file, "id", "tries", "row", "hints", "seen", "passed", "trap")
	for _, r := range rows {
		num := func(c string) int { n, _ := strconv.Atoi(r.Get(c)); return n }
		p.marks = append(p.marks, &Mark{r.Get("id"), num("tries"), num("row"), num("hints"), r.Get("seen") == "true", r.Get("passed"), r.Get("trap")})
	}
	return p, err
}

// Of is the mark of an exercise, to be changed and saved.
func (p *Progress) Of(id string) *Mark {
	if i := slices.IndexFunc(p.marks, func(m *Mark) bool { return m.ID == id }); i >= 0 {
		return p.marks[i]
	}
	m := &Mark{ID: id}
	p.marks = append(p.marks, m)
	return m
}

// Save writes the file.
func (p *Progress) Save() error {
	var b strings.Builder
	b.WriteString("id\ttries\trow\thints\tseen\tpassed\ttrap\n")
	for _, m := range p.marks {
		fmt.Fprintf(&b, "%s\t%d\t%d\t%d\t%t\t%s\t%s\n", m.ID, m.Tries, m.Row, m.Hints, m.Seen, m.Passed, m.Trap)
	}
	return write(p.file, []byte(b.String()))
}

// Hash is a short hash of what stands in the blanks of e, or of the whole copy
// of an open exercise.
func (s *Scratch) Hash(e *Exercise) string {
	sum := sha256.New()
	for i := range e.Blanks {
		text, _, _ := s.Written(e, i)
		fmt.Fprintf(sum, "%q", text)
	}
	if e.Open {
		s.walk(func(p string) {
			src, _ := os.ReadFile(p)
			fmt.Fprintf(sum, "%x", sha256.Sum256(src))
		})
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:12]
}

func (s *Scratch) walk(do func(file string)) {
	filepath.WalkDir(s.StageDir(), func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(p, ".go") {
			do(p)
		}
		return nil
	})
}
