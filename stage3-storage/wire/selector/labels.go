package selector

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Labels is a selector by labels: all its requirements must hold. The empty
// one matches everything.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/labels/selector.go Selector
type Labels []labelRequirement

type labelRequirement struct {
	key    string
	op     string // =, !=, in, notin, exists, !, gt, lt
	values []string
}

// Matches says whether an object with these labels is meant. A key that is not
// there satisfies != and notin.
func (l Labels) Matches(labels map[string]string) bool {
	for _, r := range l {
		if !r.matches(labels) {
			return false
		}
	}
	return true
}

func (r labelRequirement) matches(labels map[string]string) bool {
	v, there := labels[r.key]
	switch r.op {
	case "=", "in":
		return there && slices.Contains(r.values, v)
	case "!=", "notin":
		return !there || !slices.Contains(r.values, v)
	case "exists":
		return there
	case "!":
		return !there
	}
	n, err := strconv.ParseInt(v, 10, 64)
	bound, _ := strconv.ParseInt(r.values[0], 10, 64) // checked when it was parsed
	return there && err == nil && (r.op == "gt" && n > bound || r.op == "lt" && n < bound)
}

// ParseLabels reads a selector by labels.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/labels/selector.go Parse
func ParseLabels(s string) (Labels, error) {
	p := labelParser{rest: s}
	var l Labels
	for p.skip(); p.rest != ""; p.skip() {
		if len(l) > 0 {
			if !p.take(",") {
				return nil, fmt.Errorf("found '%s', expected: ',' or 'end of string'", p.word())
			}
		}
		r, err := p.requirement()
		if err != nil {
			return nil, err
		}
		l = append(l, r)
	}
	return l, nil
}

type labelParser struct{ rest string }

func (p *labelParser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// take removes a token, if it comes next.
func (p *labelParser) take(token string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = rest
	}
	return ok
}

// word removes and returns everything up to the next special character.
func (p *labelParser) word() string {
	p.skip()
	n := strings.IndexAny(p.rest, "=!,()<> \t\r\n")
	if n < 0 {
		n = len(p.rest)
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	if w == "" && p.rest != "" {
		return p.rest[:1]
	}
	return w
}

func (p *labelParser) requirement() (r labelRequirement, err error) {
	if p.take("!") {
		r = labelRequirement{key: p.word(), op: "!"}
		return r, checkKey(r.key)
	}
	r.key = p.word()
	if err := checkKey(r.key); err != nil {
		return r, err
	}
	p.skip()
	if p.rest == "" || strings.HasPrefix(p.rest, ",") {
		r.op = "exists"
		return r, nil
	}
	for _, op := range []struct{ text, op string }{{"==", "="}, {"=", "="}, {"!=", "!="}, {">", "gt"}, {"<", "lt"}} {
		if p.take(op.text) {
			r.op, r.values = op.op, []string{p.value()}
			return r, r.check()
		}
	}
	switch word := p.word(); word {
	case "in", "notin":
		r.op = word
		r.values, err = p.list()
	default:
		return r, fmt.Errorf("found '%s', expected: in, notin, =, ==, !=, gt, lt", word)
	}
	if err != nil {
		return r, err
	}
	return r, r.check()
}

// value is a word that may be missing: "a=" means the empty value.
func (p *labelParser) value() string {
	p.skip()
	if p.rest == "" || strings.HasPrefix(p.rest, ",") {
		return ""
	}
	return p.word()
}

func (p *labelParser) list() ([]string, error) {
	if !p.take("(") {
		return nil, fmt.Errorf("found '%s', expected: '('", p.word())
	}
	var values []string
	for {
		p.skip()
		if strings.HasPrefix(p.rest, ",") || strings.HasPrefix(p.rest, ")") {
			values = append(values, "")
		} else {
			values = append(values, p.word())
		}
		switch {
		case p.take(")"):
			return values, nil
		case !p.take(","):
			return nil, fmt.Errorf("found '%s', expected: ',', or ')'", p.word())
		}
	}
}

var (
	keyForm   = regexp.MustCompile(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`)
	valueForm = regexp.MustCompile(`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`)
)

const (
	nameRule  = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
	valueRule = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)

func checkKey(key string) error {
	if !keyForm.MatchString(key) {
		return fmt.Errorf("unable to parse requirement: <nil>: Invalid value: %q: %s", key, nameRule)
	}
	return nil
}

func (r labelRequirement) check() error {
	for _, v := range r.values {
		if r.op == "gt" || r.op == "lt" {
			if _, err := strconv.ParseInt(v, 10, 64); err != nil {
				return fmt.Errorf("unable to parse requirement: values[0][%s]: Invalid value: %q: for 'Gt', 'Lt' operators, the value must be an integer", r.key, v)
			}
		}
		if !valueForm.MatchString(v) || len(v) > 63 {
			return fmt.Errorf("unable to parse requirement: values[0][%s]: Invalid value: %q: %s", r.key, v, valueRule)
		}
	}
	return nil
}
