package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// MaxDepth is how deep a request body may nest. Upstream's decoder has the
// same bound.
const MaxDepth = 10000

// TypeOf reads what a body says of itself, and finds out on the way whether it
// is JSON at all.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json/meta.go SimpleMetaFactory
func TypeOf(data []byte) (apiVersion, kind string, err error) {
	// The form of this struct is part of the text of errors.
	var t struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := json.Unmarshal(data, &t); err != nil {
		return "", "", fmt.Errorf("couldn't get version/kind; json parse error: %w", err)
	}
	if strings.Count(t.APIVersion, "/") > 1 {
		return "", "", fmt.Errorf("unexpected GroupVersion string: %s", t.APIVersion)
	}
	return t.APIVersion, t.Kind, nil
}

// SplitVersion takes an apiVersion apart; the core group is "".
func SplitVersion(apiVersion string) (group, version string) {
	group, version, named := strings.Cut(apiVersion, "/")
	if !named {
		return "", group
	}
	return group, version
}

// Parse reads exactly one JSON object. Numbers become json.Number. Where a key
// stands twice the last one counts (of two objects the later one is put into
// the first, as upstream's decoder does), and duplicates has what to say about
// it: `duplicate field "spec.replicas"`.
func Parse(data []byte) (tree map[string]any, duplicates []string, err error) {
	p := newParser(data)
	v, err := p.value(nil, "", 0)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, nil, err
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return nil, nil, errors.New("there is more behind the end of the JSON object")
	}
	tree, ok := v.(map[string]any)
	if !ok {
		return nil, nil, errors.New("expected a JSON object")
	}
	return tree, p.duplicates, nil
}

// Duplicates are those of any JSON value; none where it is malformed.
func Duplicates(data []byte) []string {
	p := newParser(data)
	if _, err := p.value(nil, "", 0); err != nil {
		return nil
	}
	return p.duplicates
}

// SortByPosition puts complaints that name a field, such as those of Parse,
// into the order in which the fields stand in data. Others come first.
func SortByPosition(complaints []string, data []byte) {
	if len(complaints) < 2 || data == nil {
		return
	}
	p := newParser(data)
	p.order = map[string]int{}
	p.value(nil, "", 0) // what is malformed has no order
	position := func(complaint string) int {
		_, quoted, _ := strings.Cut(complaint, " field ")
		path, _ := strconv.Unquote(quoted) // "" has no position
		return p.order[path]
	}
	slices.SortStableFunc(complaints, func(a, b string) int { return position(a) - position(b) })
}

type parser struct {
	dec        *json.Decoder
	duplicates []string
	order      map[string]int // position of every path, if wanted
}

func newParser(data []byte) *parser {
	p := &parser{dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	return p
}

// value reads a value. before is what stood under the same key before.
func (p *parser) value(before any, path string, depth int) (any, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", MaxDepth)
	}
	if p.order != nil {
		p.order[path] = len(p.order)
	}
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		return p.object(before, path, depth)
	case json.Delim('['):
		return p.list(path, depth)
	}
	return tok, nil
}

func (p *parser) object(before any, path string, depth int) (any, error) {
	m, seen := map[string]any{}, map[string]bool(nil)
	if old, ok := before.(map[string]any); ok {
		maps.Copy(m, old)
		seen = map[string]bool{}
	}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		key := tok.(string) // the decoder lets nothing else stand here
		at := key
		if path != "" {
			at = path + "." + key
		}
		old, twice := m[key]
		if seen != nil { // what came from the object before is no duplicate
			twice, seen[key] = seen[key], true
		}
		if twice {
			p.duplicates = append(p.duplicates, "duplicate field "+strconv.Quote(at))
		}
		if m[key], err = p.value(old, at, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := p.dec.Token() // the closing brace
	return m, err
}

func (p *parser) list(path string, depth int) (any, error) {
	l := []any{}
	for p.dec.More() {
		v, err := p.value(nil, fmt.Sprintf("%s[%d]", path, len(l)), depth+1)
		if err != nil {
			return nil, err
		}
		l = append(l, v)
	}
	_, err := p.dec.Token()
	return l, err
}
