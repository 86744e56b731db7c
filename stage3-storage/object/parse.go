package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxDepth is how deep a request body may nest. Upstream's decoder has the
// same bound.
const MaxDepth = 10000

// Parse reads exactly one JSON object. Numbers become json.Number. Where a key
// stands twice the last one counts, and its path ("spec.replicas") is returned
// in duplicates, for the caller to warn about or to refuse.
func Parse(data []byte) (tree map[string]any, duplicates []string, err error) {
	p := parser{dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	v, err := p.value("", 0)
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

type parser struct {
	dec        *json.Decoder
	duplicates []string
}

func (p *parser) value(path string, depth int) (any, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", MaxDepth)
	}
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		return p.object(path, depth)
	case json.Delim('['):
		return p.list(path, depth)
	}
	return tok, nil
}

func (p *parser) object(path string, depth int) (any, error) {
	m := map[string]any{}
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
		if _, twice := m[key]; twice {
			p.duplicates = append(p.duplicates, at)
		}
		if m[key], err = p.value(at, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := p.dec.Token() // the closing brace
	return m, err
}

func (p *parser) list(path string, depth int) (any, error) {
	l := []any{}
	for p.dec.More() {
		v, err := p.value(fmt.Sprintf("%s[%d]", path, len(l)), depth+1)
		if err != nil {
			return nil, err
		}
		l = append(l, v)
	}
	_, err := p.dec.Token()
	return l, err
}
