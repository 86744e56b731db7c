package tree

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Tree is a workspace of stages.
type Tree struct {
	Root   string
	Stages []Stage
}

// Stage is one module of the workspace.
type Stage struct {
	N      int
	Dir    string // below the root, such as stage3-storage
	Module string
}

// Package is one package of a stage.
type Package struct {
	Stage Stage
	Dir   string // below the root, with slashes
	Path  string // import path
	Name  string
	Files []*File // without tests
	Tests []*File
	Doc   Doc
}

// File is one Go file.
type File struct {
	Path string // below the root, with slashes
	Src  []byte
	Fset *token.FileSet
	AST  *ast.File
}

var stageDir = regexp.MustCompile(`^stage([1-9])-[a-z0-9]+$`)

// Find opens the workspace that dir lies in.
func Find(dir string) (*Tree, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for d := abs; ; d = filepath.Dir(d) {
		if t, err := Open(d); err == nil {
			return t, nil
		}
		if d == filepath.Dir(d) {
			return nil, fmt.Errorf("no workspace with stages in %s or above it; say where it is with -root", abs)
		}
	}
}

// Open reads which stages root has.
func Open(root string) (*Tree, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	t := &Tree{Root: root}
	for _, e := range entries {
		m := stageDir.FindStringSubmatch(e.Name())
		if m == nil || !e.IsDir() {
			continue
		}
		mod, err := os.ReadFile(filepath.Join(root, e.Name(), "go.mod"))
		if err != nil {
			continue // a folder without a module is no stage yet
		}
		n, _ := strconv.Atoi(m[1])
		t.Stages = append(t.Stages, Stage{N: n, Dir: e.Name(), Module: modulePath(mod)})
	}
	if len(t.Stages) == 0 {
		return nil, fmt.Errorf("%s has no folder like stage1-main with a go.mod", root)
	}
	return t, nil
}

func modulePath(mod []byte) string {
	for sc := bufio.NewScanner(bytes.NewReader(mod)); sc.Scan(); {
		if p, ok := strings.CutPrefix(sc.Text(), "module "); ok {
			return strings.TrimSpace(p)
		}
	}
	return ""
}

// Stage finds a stage by its number.
func (t *Tree) Stage(n int) (Stage, error) {
	for _, s := range t.Stages {
		if s.N == n {
			return s, nil
		}
	}
	return Stage{}, fmt.Errorf("there is no stage %d", n)
}

// Abs is a slashed path below the root as a path of this machine.
func (t *Tree) Abs(rel string) string { return filepath.Join(t.Root, filepath.FromSlash(rel)) }

// Packages parses all packages of the stages, in the order of their folders.
// Folders named testdata, or with a go.mod of their own, are left out.
func (t *Tree) Packages(stages ...Stage) ([]*Package, error) {
	var all []*Package
	for _, s := range stages {
		err := filepath.WalkDir(t.Abs(s.Dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(t.Root, p)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			if skip(p, d.Name(), rel == s.Dir) {
				return fs.SkipDir
			}
			pkg, err := t.parse(s, rel)
			if pkg != nil {
				all = append(all, pkg)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func skip(p, name string, top bool) bool {
	if top {
		return false
	}
	if name == "testdata" || name[0] == '.' || name[0] == '_' {
		return true
	}
	_, err := os.Stat(filepath.Join(p, "go.mod"))
	return err == nil
}

func (t *Tree) parse(s Stage, dir string) (*Package, error) {
	names, err := filepath.Glob(t.Abs(dir) + "/*.go")
	if err != nil || len(names) == 0 {
		return nil, err
	}
	pkg := &Package{Stage: s, Dir: dir, Path: path.Join(s.Module, strings.TrimPrefix(dir, s.Dir))}
	for _, name := range names {
		f, err := t.ParseFile(dir + "/" + filepath.Base(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since the folder was read
		}
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(name, "_test.go") {
			pkg.Tests = append(pkg.Tests, f)
			continue
		}
		pkg.Files = append(pkg.Files, f)
		pkg.Name = f.AST.Name.Name
	}
	pkg.Doc = pkg.readDoc()
	return pkg, nil
}

// ParseFile parses one file below the root.
func (t *Tree) ParseFile(rel string) (*File, error) {
	src, err := os.ReadFile(t.Abs(rel))
	if err != nil {
		return nil, err
	}
	f := &File{Path: rel, Src: src, Fset: token.NewFileSet()}
	f.AST, err = parser.ParseFile(f.Fset, rel, src, parser.ParseComments|parser.SkipObjectResolution)
	return f, err
}

// Line is the line of pos.
func (f *File) Line(pos token.Pos) int { return f.Fset.Position(pos).Line }

// Lines counts the file's lines.
func (f *File) Lines() int { return bytes.Count(f.Src, []byte("\n")) }

// Generated says that a program wrote the file.
func (f *File) Generated() bool { return ast.IsGenerated(f.AST) }

// Imports are the import paths of the package's files, each with where it first stands.
func (p *Package) Imports() map[string]string {
	all := map[string]string{}
	for _, f := range p.Files {
		for _, im := range f.AST.Imports {
			name, _ := strconv.Unquote(im.Path.Value)
			if all[name] == "" {
				all[name] = fmt.Sprintf("%s:%d", f.Path, f.Line(im.Pos()))
			}
		}
	}
	return all
}

// Exported names the package's exported functions, methods of exported types,
// types, variables and constants.
func (p *Package) Exported() []string {
	var names []string
	for _, f := range p.Files {
		for _, d := range f.AST.Decls {
			for _, n := range declNames(d) {
				if !slices.ContainsFunc(strings.Split(n, "."), func(s string) bool { return !ast.IsExported(s) }) {
					names = append(names, n)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

func declNames(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{FuncName(d)}
	case *ast.GenDecl:
		var names []string
		for _, s := range d.Specs {
			names = append(names, specNames(s)...)
		}
		return names
	}
	return nil
}

func specNames(s ast.Spec) (names []string) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		names = append(names, s.Name.Name)
	case *ast.ValueSpec:
		for _, n := range s.Names {
			names = append(names, n.Name)
		}
	}
	return names
}

// FuncName is Name, or Type.Name for a method.
func FuncName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}
