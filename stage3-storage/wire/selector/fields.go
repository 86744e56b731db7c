package selector

import (
	"fmt"
	"strings"
)

// Fields is a selector by fields: all its requirements must hold.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/fields/selector.go Selector
type Fields []FieldRequirement

// FieldRequirement asks for one value of one field, or for any other.
type FieldRequirement struct {
	Field string
	Not   bool
	Value string
}

// Matches says whether an object is meant; get returns the value of a field.
func (f Fields) Matches(get func(field string) string) bool {
	for _, r := range f {
		if (get(r.Field) == r.Value) == r.Not {
			return false
		}
	}
	return true
}

// Exact returns the value that a field must have, if there is only one.
func (f Fields) Exact(field string) (value string, ok bool) {
	for _, r := range f {
		if r.Field == field && !r.Not {
			return r.Value, true
		}
	}
	return "", false
}

// ParseFields reads a selector by fields. A backslash takes away the meaning
// of a comma, an equals sign or a backslash behind it.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/fields/selector.go ParseSelector
func ParseFields(s string) (Fields, error) {
	var f Fields
	for _, term := range splitUnescaped(s, ',') {
		if term == "" {
			continue
		}
		r, ok := parseTerm(term)
		if !ok {
			return nil, fmt.Errorf("invalid selector: '%s'; can't understand '%s'", s, term)
		}
		var err error
		if r.Value, err = unescape(r.Value); err != nil {
			return nil, err
		}
		f = append(f, r)
	}
	return f, nil
}

func parseTerm(term string) (FieldRequirement, bool) {
	for i := 0; i < len(term); i++ {
		switch rest := term[i:]; {
		case term[i] == '\\':
			i++
		case strings.HasPrefix(rest, "!="):
			return FieldRequirement{term[:i], true, rest[2:]}, true
		case strings.HasPrefix(rest, "=="):
			return FieldRequirement{term[:i], false, rest[2:]}, true
		case rest[0] == '=':
			return FieldRequirement{term[:i], false, rest[1:]}, true
		}
	}
	return FieldRequirement{}, false
}

func splitUnescaped(s string, sep byte) []string {
	var parts []string
	from := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case sep:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && strings.IndexByte(`\,=`, s[i+1]) >= 0:
			i++
			c = s[i]
		case c == '\\', c == '=':
			return "", fmt.Errorf("invalid field selector: unescaped character in value: %q", c)
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}
