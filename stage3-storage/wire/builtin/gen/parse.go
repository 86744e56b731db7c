package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// typ is what was found out about a type.
type typ struct {
	lists, maps, defaults    map[string]string
	optional, required, enum []string
	atomic, isEnum           bool
}

// parse reads the Go files of a folder.
func parse(dir string) (map[string]*typ, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	types := map[string]*typ{}
	var consts []*ast.ValueSpec
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range decl.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					types[s.Name.Name] = newType(s, decl.Doc)
				case *ast.ValueSpec:
					consts = append(consts, s)
				}
			}
		}
	}
	addConstants(types, consts)
	return types, nil
}

func newType(s *ast.TypeSpec, declDoc *ast.CommentGroup) *typ {
	t := &typ{lists: map[string]string{}, maps: map[string]string{}, defaults: map[string]string{}}
	doc := s.Doc
	if doc == nil {
		doc = declDoc
	}
	for _, tag := range tagsOf(doc) {
		switch tag {
		case "structType=atomic", "mapType=atomic":
			t.atomic = true
		case "enum":
			t.isEnum = true
		}
	}
	if st, ok := s.Type.(*ast.StructType); ok {
		for _, f := range st.Fields.List {
			t.addField(f)
		}
	}
	return t
}

func (t *typ) addField(f *ast.Field) {
	if f.Tag == nil {
		return
	}
	unquoted, _ := strconv.Unquote(f.Tag.Value) // the parser has seen that it is a string
	name, options, _ := strings.Cut(reflect.StructTag(unquoted).Get("json"), ",")
	omitEmpty := strings.Contains(options, "omitempty")
	for _, tag := range tagsOf(f.Doc) {
		key, value, _ := strings.Cut(tag, "=")
		switch {
		case key == "listType":
			t.lists[name] = strings.TrimSpace(value + " " + t.lists[name])
		case key == "listMapKey":
			t.lists[name] = strings.TrimSpace(t.lists[name] + " " + value)
		case key == "mapType", key == "structType":
			t.maps[name] = value
		case key == "optional" && !omitEmpty:
			t.optional = append(t.optional, name)
		case key == "required" && omitEmpty:
			t.required = append(t.required, name)
		case key == "default" && !strings.HasPrefix(value, "ref("):
			t.defaults[name] = value
		}
	}
}

// addConstants gives enumerations their values.
func addConstants(types map[string]*typ, consts []*ast.ValueSpec) {
	for _, c := range consts {
		ident, ok := c.Type.(*ast.Ident)
		if !ok || types[ident.Name] == nil || !types[ident.Name].isEnum {
			continue
		}
		for _, v := range c.Values {
			if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				value, _ := strconv.Unquote(lit.Value)
				types[ident.Name].enum = append(types[ident.Name].enum, value)
			}
		}
	}
}

// tagsOf returns the lines that begin with a plus sign, without it.
func tagsOf(doc *ast.CommentGroup) []string {
	if doc == nil {
		return nil
	}
	var tags []string
	for _, c := range doc.List {
		if tag, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "//")), "+"); ok {
			tags = append(tags, strings.TrimSpace(tag))
		}
	}
	return tags
}
