package ex

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"example.com/kube-apiserver/docs/tools/holes"
	"example.com/kube-apiserver/docs/tools/tree"
	"example.com/kube-apiserver/docs/tools/tsv"
)

// recorded is now.tsv: what the tests of each blank say. It is safe for
// concurrent use.
type recorded struct {
	mu   sync.Mutex
	says map[string]string // "3.2<tab>TestX" → its words, lines joined by \n
}

func readRecorded(t *tree.Tree) (*recorded, error) {
	rows, err := tsv.Read(t.Abs(Dir+"/now.tsv"), "id", "test", "says")
	r := &recorded{says: map[string]string{}}
	for _, row := range rows {
		r.says[row.Get("id")+"\t"+row.Get("test")] = row.Get("says")
	}
	return r, err
}

// Now is what the tests of an exercise say before anything is written.
func Now(t *tree.Tree, e *Exercise) (lines []string) {
	r, err := readRecorded(t)
	if err != nil {
		return nil
	}
	for _, name := range e.TestNames() {
		if says := r.says[e.ID+"\t"+name]; says != "" {
			lines = append(lines, strings.Split(name+": "+says, "\n")...)
		}
	}
	return lines
}

func (r *recorded) compare(e *Exercise, res *Result, update bool) (found []Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, ts := range e.Tests {
		for _, name := range ts.Names {
			says := res.Of(ts.Package, name).Says
			text := strings.TrimSpace(holes.Fill(strings.Join(says[:min(3, len(says))], "\n")))
			text = strings.ReplaceAll(text, "\t", "    ")
			key := e.ID + "\t" + name
			switch was, ok := r.says[key]; {
			case update:
				r.says[key] = text
			case !ok:
				found = append(found, Finding{e.ID, "now", "what " + name + " says of the blank is not recorded; lab verify -update"})
			case was != text:
				found = append(found, Finding{e.ID, "now", fmt.Sprintf("%s says %q of the blank, recorded is %q; lab verify -update", name, text, was)})
			}
		}
	}
	return found
}

func (r *recorded) save(t *tree.Tree) error {
	var b strings.Builder
	b.WriteString("# Written by lab verify -update: what the tests of each exercise say before anything is written.\nid\ttest\tsays\n")
	for _, key := range slices.Sorted(maps.Keys(r.says)) {
		fmt.Fprintf(&b, "%s\t%s\n", key, strings.ReplaceAll(r.says[key], "\n", `\n`))
	}
	return os.WriteFile(t.Abs(Dir+"/now.tsv"), []byte(b.String()), 0o644)
}

// cache remembers by a hash of everything that matters what has passed.
type cache struct {
	file string

	mu     sync.Mutex
	passed map[string]bool
	stages map[int]string // hash of a stage and those before it
}

func readCache(t *tree.Tree) *cache {
	c := &cache{file: filepath.Join(Work(t), "verify.cache"), passed: map[string]bool{}, stages: map[int]string{}}
	src, _ := os.ReadFile(c.file)
	for _, key := range strings.Fields(string(src)) {
		c.passed[key] = true
	}
	sum := sha256.New()
	for _, s := range t.Stages {
		filepath.WalkDir(t.Abs(s.Dir), func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				src, _ := os.ReadFile(p)
				fmt.Fprintf(sum, "%s %x\n", p, sha256.Sum256(src))
			}
			return nil
		})
		c.stages[s.N] = fmt.Sprintf("%x", sum.Sum(nil))
	}
	return c
}

func (c *cache) key(t *tree.Tree, u unit) string {
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.Version(), u.id, c.stages[u.stage.N])
	for _, e := range u.exercises {
		src, _ := os.ReadFile(t.Abs(e.File))
		fmt.Fprintf(sum, "%s\n%q\n", src, Now(t, e))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func (c *cache) has(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.passed[key]
}

func (c *cache) add(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.passed[key] = true
}

// save writes the cache; without it the next run only takes longer.
func (c *cache) save() {
	write(c.file, []byte(strings.Join(slices.Sorted(maps.Keys(c.passed)), "\n")+"\n"))
}
