package requests

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parse is object.Parse for the bodies of requests. Where a key stands twice
// the last one counts (of two objects the later one is put into
// the first, as upstream's decoder does), and duplicates has what to say about
// it: `duplicate field "spec.replicas"`.
func parse(data []byte) (tree map[string]any, duplicates []string, err error) {
	p, err := newParser(data)
	if err != nil {
		return nil, nil, err
	}
	tree, ok := p.value(nil).(map[string]any)
	if !ok {
		return nil, nil, errors.New("expected a JSON object")
	}
	return tree, p.duplicates, nil
}

// duplicatesOf are those of any JSON value; none where it is malformed.
func duplicatesOf(data []byte) []string {
	p, err := newParser(data)
	if err != nil {
		return nil
	}
	p.value(nil)
	return p.duplicates
}

// parser reads text that is known to be valid.
type parser struct {
	text       string
	at         int
	path       []step // to the value that is read
	duplicates []string
}

// step is a part of a path: a key or an index.
type step struct {
	key   string
	index int
}

// newParser lets encoding/json say whether the text is JSON, which also bounds
// how deep it may nest; the tree is then made in one pass that can rely on it.
// Reading it token by token with encoding/json took half of the time of a write.
func newParser(data []byte) (*parser, error) {
	if json.Valid(data) {
		return &parser{text: string(data)}, nil // the strings of the tree are parts of this one
	}
	err := json.Unmarshal(data, new(json.RawMessage)) // only to hear what is wrong
	if strings.HasPrefix(err.Error(), "unexpected end") {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

// next skips white space, commas and colons.
func (p *parser) next() byte {
	for ; ; p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
		default:
			return c
		}
	}
}

// value reads a value. before is what stood under the same key before.
func (p *parser) value(before any) any {
	switch p.next() {
	case '{':
		return p.object(before)
	case '[':
		return p.list()
	case '"':
		return p.string()
	case 't':
		p.at += len("true")
		return true
	case 'f':
		p.at += len("false")
		return false
	case 'n':
		p.at += len("null")
		return nil
	}
	from := p.at
	for p.at < len(p.text) && strings.IndexByte("+-.eE0123456789", p.text[p.at]) >= 0 {
		p.at++
	}
	return json.Number(p.text[from:p.at])
}

func (p *parser) object(before any) map[string]any {
	m, seen := map[string]any{}, map[string]bool(nil)
	if old, ok := before.(map[string]any); ok {
		maps.Copy(m, old)
		seen = map[string]bool{}
	}
	p.at++
	p.path = append(p.path, step{})
	for p.next() != '}' {
		key := p.string()
		p.path[len(p.path)-1].key = key
		old, twice := m[key]
		if seen != nil { // what came from the object before is no duplicate
			twice, seen[key] = seen[key], true
		}
		if twice {
			p.duplicates = append(p.duplicates, "duplicate field "+strconv.Quote(p.here()))
		}
		m[key] = p.value(old)
	}
	p.path = p.path[:len(p.path)-1]
	p.at++
	return m
}

func (p *parser) list() []any {
	l := []any{}
	p.at++
	p.path = append(p.path, step{})
	for p.next() != ']' {
		p.path[len(p.path)-1].index = len(l)
		l = append(l, p.value(nil))
	}
	p.path = p.path[:len(p.path)-1]
	p.at++
	return l
}

// string reads a string. One with escapes is left to encoding/json, and so is
// one that is no UTF-8, which it repairs.
func (p *parser) string() string {
	from, plain := p.at, true
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			plain = false
			p.at++
		}
	}
	p.at++
	if s := p.text[from+1 : p.at-1]; plain && utf8.ValidString(s) {
		return s
	}
	var s string
	json.Unmarshal([]byte(p.text[from:p.at]), &s) // the whole text has passed already
	return s
}

// here is the path of the value that is read.
func (p *parser) here() string {
	var b strings.Builder
	for _, s := range p.path {
		switch {
		case s.key == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case b.Len() > 0:
			b.WriteString("." + s.key)
		default:
			b.WriteString(s.key)
		}
	}
	return b.String()
}
