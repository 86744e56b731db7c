package selector

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fields is a selector by fields: all its requirements must hold. The empty one
// matches everything. Which fields a kind can be selected by is its own affair.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/fields/selector.go Selector
type Fields []FieldRequirement

// FieldRequirement asks for one value of a field, or for any other.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/fields/requirements.go Requirement
type FieldRequirement struct {
	Field string
	Op    string // = or !=
	Value string
}

// ParseFields reads a selector by fields: terms field=value, field==value and
// field!=value between commas, in which a backslash takes away the meaning of
// a comma, an equals sign or a backslash behind it.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/fields/selector.go ParseSelector
func ParseFields(s string) (Fields, error) {
	var f Fields
	terms := splitTerms(s)
	slices.Sort(terms) // of several bad ones the first in this order is named, as upstream
	for _, term := range terms {
		if term == "" {
			continue
		}
		r, ok := splitTerm(term)
		if !ok {
			return nil, fmt.Errorf("invalid selector: '%s'; can't understand '%s'", s, term)
		}
		var err error
		if r.Value, err = unescape(r.Value); err != nil {
			return nil, fmt.Errorf("invalid field selector: %w", err)
		}
		f = append(f, r)
	}
	slices.SortFunc(f, func(a, b FieldRequirement) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Op, b.Op), cmp.Compare(a.Value, b.Value))
	})
	return f, nil
}

// splitTerms cuts at the commas that have no backslash in front.
func splitTerms(s string) []string {
	var terms []string
	from := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ',':
			terms = append(terms, s[from:i])
			from = i + 1
		}
	}
	return append(terms, s[from:])
}

// splitTerm cuts at the first operator. The value is still escaped.
func splitTerm(term string) (r FieldRequirement, ok bool) {
	for i := range term {
		for _, op := range []string{"!=", "==", "="} { // = last: it begins ==
			if value, found := strings.CutPrefix(term[i:], op); found {
				return FieldRequirement{term[:i], strings.Replace(op, "==", "=", 1), value}, true
			}
		}
	}
	return r, false
}

var escaper = strings.NewReplacer(`\`, `\\`, `,`, `\,`, `=`, `\=`)

func unescape(s string) (string, error) {
	var b strings.Builder
	escaped := false
	for _, c := range s {
		special := strings.ContainsRune(`\,=`, c)
		switch {
		case escaped && !special:
			return "", fmt.Errorf(`invalid escape sequence: \%c`, c)
		case !escaped && special && c != '\\':
			return "", fmt.Errorf("unescaped character in value: %v", c)
		}
		if escaped = !escaped && c == '\\'; !escaped {
			b.WriteRune(c)
		}
	}
	if escaped {
		return "", fmt.Errorf(`invalid escape sequence: \`)
	}
	return b.String(), nil
}

// Matches says whether an object is meant; get returns the value of a field.
func (f Fields) Matches(get func(field string) string) bool {
	for _, r := range f {
		if (get(r.Field) == r.Value) != (r.Op == "=") {
			return false
		}
	}
	return true
}

// Exact returns the one value that a field must have, if the selector asks for
// one. It does not tell whether that is all that it asks for.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/fields/selector.go RequiresExactMatch
func (f Fields) Exact(field string) (value string, ok bool) {
	for _, r := range f {
		if r.Field == field && r.Op == "=" {
			return r.Value, true
		}
	}
	return "", false
}

// String is a form that ParseFields reads to the same selector. Equal selectors
// have equal forms, however they were written.
func (f Fields) String() string {
	terms := make([]string, len(f))
	for i, r := range f {
		terms[i] = r.Field + r.Op + escaper.Replace(r.Value)
	}
	return strings.Join(terms, ",")
}
