package ex

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"example.com/kube-apiserver/docs/tools/tree"
)

// Scratch is a copy of a stage in which a learner works.
type Scratch struct {
	Tree      *tree.Tree
	Dir       string      // of the exercise: holds the stage's folder
	Stage     tree.Stage  // of all its exercises
	Exercises []*Exercise // one, or all of the stage
}

// StageDir is the copied stage.
func (s *Scratch) StageDir() string { return filepath.Join(s.Dir, s.Stage.Dir) }

// Path is where a file below the stage lies in the copy.
func (s *Scratch) Path(file string) string {
	return filepath.Join(s.StageDir(), filepath.FromSlash(file))
}

// Exists says whether it has been cut.
func (s *Scratch) Exists() bool {
	_, err := os.Stat(s.StageDir())
	return err == nil
}

// Copy copies the stage as it is, with what it takes to build it elsewhere.
func (s *Scratch) Copy() error {
	if err := os.RemoveAll(s.StageDir()); err != nil {
		return err
	}
	if err := s.copyFiles(func(string) bool { return true }); err != nil {
		return err
	}
	mod, err := os.ReadFile(s.Path("go.mod"))
	if err != nil {
		return err
	}
	if mod, err = s.replaces(mod); err != nil {
		return err
	}
	if err := os.WriteFile(s.Path("go.mod"), mod, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.Dir, "go.work"), []byte(s.goLine()+"\nuse ./"+s.Stage.Dir+"\n"), 0o644)
}

// replaced is a replace line of a stage that names an earlier one beside it.
var replaced = regexp.MustCompile(`(=>\s*)\.\./(stage[^\s/]+)`)

// replaces makes replace lines point at the other stages from where the copy lies.
func (s *Scratch) replaces(mod []byte) ([]byte, error) {
	to, err := filepath.Rel(s.StageDir(), s.Tree.Root)
	if err != nil {
		to = s.Tree.Root // on another drive
	}
	return replaced.ReplaceAll(mod, []byte("${1}"+filepath.ToSlash(to)+"/${2}")), nil
}

// goLine is the workspace's own line: one without its last number would be
// refused as older than that of a module.
func (s *Scratch) goLine() string {
	for _, file := range []string{"go.work", s.Stage.Dir + "/go.mod"} {
		src, _ := os.ReadFile(s.Tree.Abs(file))
		for line := range strings.Lines(string(src)) {
			if strings.HasPrefix(line, "go ") {
				return line
			}
		}
	}
	return ""
}

// copyFiles copies those files of the stage that want says, by their path below it.
func (s *Scratch) copyFiles(want func(rel string) bool) error {
	from := s.Tree.Abs(s.Stage.Dir)
	return filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil && rel != "." {
				return fs.SkipDir // a module of its own
			}
			return nil
		}
		if !d.Type().IsRegular() || !want(filepath.ToSlash(rel)) {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return write(s.Path(filepath.ToSlash(rel)), src)
	})
}

func write(file string, src []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, src, 0o644)
}

// Cut makes the copy that an exercise begins with: with blanks, or with a trap
// to be found.
func (s *Scratch) Cut(trap string) error {
	if err := s.Copy(); err != nil {
		return err
	}
	for _, e := range s.Exercises {
		files, err := e.with(s.StageDir(), e.stubOr(trap), tree.Replace)
		if err != nil {
			return err
		}
		for file, src := range files {
			if err := write(s.Path(file), src); err != nil {
				return err
			}
		}
	}
	return s.Refresh()
}

// Refresh lays the stage's tests anew, and those of an open exercise.
func (s *Scratch) Refresh() error {
	err := s.copyFiles(func(rel string) bool {
		return strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(rel, "testdata/") || strings.Contains(rel, "/testdata/")
	})
	for _, e := range s.Exercises {
		for name, text := range e.files {
			if file, ok := strings.CutPrefix(name, "test/"); ok && err == nil {
				err = write(s.Path(file), []byte(text))
			}
		}
	}
	return err
}

// stubOr gives the text of each blank: the stub, or that of a trap. Where a trap
// has nothing for a blank, the reference stays.
func (e *Exercise) stubOr(trap string) func(i int) (string, bool) {
	if trap != "" {
		return func(i int) (string, bool) { return e.Trap(trap, i) }
	}
	return func(i int) (string, bool) { return e.Stub(i), true }
}

// with returns the files of a stage's folder in which the blanks have other texts.
func (e *Exercise) with(stage string, text func(i int) (string, bool), put func(src []byte, name, body string) ([]byte, error)) (map[string][]byte, error) {
	files := map[string][]byte{}
	for i, b := range e.Blanks {
		if files[b.File] == nil {
			src, err := os.ReadFile(filepath.Join(stage, filepath.FromSlash(b.File)))
			if err != nil {
				return nil, fmt.Errorf("exercise %s: %w", e.ID, err)
			}
			files[b.File] = src
		}
		body, ok := text(i)
		if !ok {
			continue
		}
		src, err := put(files[b.File], b.Name, body)
		if err != nil {
			return nil, fmt.Errorf("exercise %s: %s#%s: %w", e.ID, b.File, b.Name, err)
		}
		files[b.File] = src
	}
	return files, nil
}

// Written is what the learner has at blank i now.
func (s *Scratch) Written(e *Exercise, i int) (text string, line int, err error) {
	b := e.Blanks[i]
	src, err := os.ReadFile(s.Path(b.File))
	if err != nil {
		return "", 0, err
	}
	lo, hi, err := tree.Inside(src, b.Name)
	if err != nil {
		return "", 0, fmt.Errorf("%s: %w; put back the lines around your work (make reset E=%s)", s.Path(b.File), err, e.ID)
	}
	return string(src[lo:hi]), 1 + bytes.Count(src[:lo], []byte("\n")), nil
}

// Trap recognises a known wrong answer in what the learner has written.
func (s *Scratch) Trap(e *Exercise) string {
	for _, name := range e.Traps() {
		same := true
		for i, b := range e.Blanks {
			want, ok := e.Trap(name, i)
			if !ok {
				continue
			}
			got, _, err := s.Written(e, i)
			src, err2 := os.ReadFile(s.Tree.Abs(e.Stage.Dir + "/" + b.File))
			same = same && err == nil && err2 == nil && tree.Equal(src, b.Name, got, want)
		}
		if same {
			return name
		}
	}
	return ""
}

// Apply applies the answer of an open exercise.
func (s *Scratch) Apply(e *Exercise) error {
	patch, ok := e.files["solution.patch"]
	if !ok {
		return errors.New("there is no solution.patch")
	}
	cmd := exec.Command("git", "apply", "-")
	cmd.Dir, cmd.Stdin = s.StageDir(), strings.NewReader(patch)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+s.Dir) // so that it looks for no repository
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("solution.patch: %s", bytes.TrimSpace(out))
	}
	return nil
}
