package selector

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// ParseLabels reads a selector by labels.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/labels/selector.go Parse
func ParseLabels(s string) (Labels, error) {
	p := labelParser{rest: s}
	var l Labels
	if t := p.peek(); t != "" && t != doesNotExist && !isWord(t) {
		return nil, fmt.Errorf("found '%s', expected: !, identifier, or 'end of string'", t)
	}
	for p.peek() != "" {
		r, err := p.requirement()
		if err != nil {
			return nil, fmt.Errorf("unable to parse requirement: %w", err)
		}
		l = append(l, r)
		switch t := p.next(); t {
		case "":
		case ",":
			if t := p.peek(); t != doesNotExist && !isWord(t) {
				return nil, fmt.Errorf("found '%s', expected: identifier after ','", t)
			}
		default:
			return nil, fmt.Errorf("found '%s', expected: ',' or 'end of string'", t)
		}
	}
	slices.SortStableFunc(l, func(a, b labelRequirement) int { return cmp.Compare(a.key, b.key) })
	return l, nil
}

// labelParser takes a selector apart into tokens: operators, parentheses,
// commas, and words, which are everything else. The token "" is the end.
type labelParser struct{ rest string }

const (
	spaces  = " \t\r\n"
	special = "=!(),<>"
)

func isWord(token string) bool { return token != "" && !strings.Contains(special, token[:1]) }

func (p *labelParser) peek() string {
	p.rest = strings.TrimLeft(p.rest, spaces)
	for _, op := range []string{doubleEquals, notEquals} {
		if strings.HasPrefix(p.rest, op) {
			return op
		}
	}
	switch n := strings.IndexAny(p.rest, special+spaces); n {
	case -1:
		return p.rest
	case 0:
		return p.rest[:1]
	default:
		return p.rest[:n]
	}
}

func (p *labelParser) next() string {
	t := p.peek()
	p.rest = p.rest[len(t):]
	return t
}

// requirement reads KEY, !KEY, KEY operator VALUE, or KEY operator (VALUE, …).
// The words in and notin are operators in their place and words in any other.
func (p *labelParser) requirement() (r labelRequirement, err error) {
	if p.peek() == doesNotExist {
		r.op = p.next()
	}
	if r.key = p.next(); !isWord(r.key) {
		return r, fmt.Errorf("found '%s', expected: identifier", r.key)
	}
	if problems := metadata.QualifiedName(r.key); len(problems) > 0 {
		return r, field.Invalid("", r.key, strings.Join(problems, "; "))
	}
	if r.op == doesNotExist {
		return r, nil
	}
	if t := p.peek(); t == "" || t == "," {
		r.op = exists
		return r, nil
	}
	switch r.op = p.next(); r.op {
	case in, notIn:
		r.values, err = p.list()
	case equals, doubleEquals, notEquals, greaterThan, lessThan:
		r.values, err = p.single()
	default:
		err = fmt.Errorf("found '%s', expected: in, notin, =, ==, !=, gt, lt", r.op)
	}
	if err != nil {
		return r, err
	}
	return r, r.check()
}

// single is a value that may be missing: "a=" means the empty one.
func (p *labelParser) single() ([]string, error) {
	if t := p.peek(); t == "" || t == "," {
		return []string{""}, nil
	}
	t := p.next()
	if !isWord(t) {
		return nil, fmt.Errorf("found '%s', expected: identifier", t)
	}
	return []string{t}, nil
}

// list is values in parentheses; each may be missing, so () has an empty one.
func (p *labelParser) list() ([]string, error) {
	if t := p.next(); t != "(" {
		return nil, fmt.Errorf("found '%s' expected: '('", t)
	}
	var values []string
	for expected := "',', ')' or identifier"; ; expected = "',', or identifier" {
		t := p.peek()
		switch {
		case isWord(t):
			values = append(values, p.next())
		case t == "," || t == ")":
			values = append(values, "")
		default:
			return nil, fmt.Errorf("found '%s', expected: %s", t, expected)
		}
		switch t := p.next(); t {
		case ",":
		case ")":
			slices.Sort(values)
			return slices.Compact(values), nil
		default:
			return nil, fmt.Errorf("found '%s', expected: ',' or ')'", t)
		}
	}
}

var valueForm = regexp.MustCompile(`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`)

const valueRule = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

// check finds values that no label can have, or that are no bound.
func (r labelRequirement) check() error {
	var errs field.Errors
	if r.op == greaterThan || r.op == lessThan {
		if _, err := strconv.ParseInt(r.values[0], 10, 64); err != nil {
			errs = append(errs, field.Invalid("values[0]", r.values[0], "for 'Gt', 'Lt' operators, the value must be an integer"))
		}
	}
	for i, v := range r.values {
		var problems []string
		if len(v) > 63 {
			problems = append(problems, "must be no more than 63 bytes")
		}
		if !valueForm.MatchString(v) {
			problems = append(problems, valueRule)
		}
		if len(problems) > 0 {
			errs = append(errs, field.Invalid(fmt.Sprintf("values[%d][%s]", i, r.key), v, strings.Join(problems, "; ")))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return errs
}
