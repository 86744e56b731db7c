package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// A Check returns what is wrong with the value at a path. v is nil where there
// is none. Unless it says otherwise, a Check has nothing to say of a missing value.
type Check func(at string, v any) field.Errors

// Fields is a table of what an object's fields have to be, in the order in
// which a client reads of them.
type Fields []Field

// Field is a row of Fields.
type Field struct {
	Name  string
	Check Check
}

// Check is the table as a Check. The fields of a missing object are not asked.
func (f Fields) Check(at string, v any) field.Errors {
	t, ok := v.(Tree)
	if !ok {
		return nil
	}
	var errs field.Errors
	for _, row := range f {
		errs = append(errs, row.Check(Join(at, row.Name), t[row.Name])...)
	}
	return errs
}

// Join is the path of a field of the object at at.
func Join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// Beside is the path of another field of the object that has the field at at.
// A few of upstream's complaints name such a one.
func Beside(at, name string) string { return at[:strings.LastIndexByte(at, '.')+1] + name }

// Index is the path of an element of the list at at.
func Index(at string, i int) string { return at + "[" + strconv.Itoa(i) + "]" }

// Key is the path of an entry of the map at at.
func Key(at, key string) string { return at + "[" + key + "]" }

// All is several Checks, one after the other.
func All(checks ...Check) Check {
	return func(at string, v any) field.Errors {
		var errs field.Errors
		for _, c := range checks {
			errs = append(errs, c(at, v)...)
		}
		return errs
	}
}

// Required complains of a missing value and asks the checks about any other.
// "", an empty list and an empty map are missing too; 0 and false are not.
func Required(checks ...Check) Check { return RequiredAs("", checks...) }

// RequiredAs is Required with a reason.
func RequiredAs(why string, checks ...Check) Check {
	all := All(checks...)
	return func(at string, v any) field.Errors {
		if empty(v) || v == "" {
			return field.Errors{field.Required(at, why)}
		}
		return all(at, v)
	}
}

// Given asks only about a value that is there, be it empty.
func Given(check Check) Check {
	return func(at string, v any) field.Errors {
		if v == nil {
			return nil
		}
		return check(at, v)
	}
}

// NotZero is Required for numbers: 0 is missing.
func NotZero(checks ...Check) Check {
	required := Required(checks...)
	return func(at string, v any) field.Errors {
		if n, ok := integer(v); ok && n == 0 {
			v = nil
		}
		return required(at, v)
	}
}

// Each asks about every element of a list.
func Each(check Check) Check {
	return func(at string, v any) field.Errors {
		var errs field.Errors
		l, _ := v.([]any)
		for i, e := range l {
			errs = append(errs, check(Index(at, i), e)...)
		}
		return errs
	}
}

// Entries asks about every value of a map, in the order of the keys. key is
// asked about the keys.
func Entries(key func(string) []string, check Check) Check {
	return func(at string, v any) field.Errors {
		var errs field.Errors
		t, _ := v.(Tree)
		for _, k := range Keys(t) {
			for _, p := range key(k) {
				errs = append(errs, field.Invalid(Key(at, k), k, p))
			}
			errs = append(errs, check(Key(at, k), t[k])...)
		}
		return errs
	}
}

// Unique complains where two objects of a list have the same name, if they
// have one, in the field that is given.
func Unique(name string) Check {
	return func(at string, v any) field.Errors {
		var errs field.Errors
		var seen []any
		l, _ := v.([]any)
		for i, e := range l {
			t, _ := e.(Tree)
			n := t[name]
			if n == nil || n == "" {
				continue
			}
			if slices.ContainsFunc(seen, func(s any) bool { return Same(s, n) }) {
				errs = append(errs, field.Duplicate(Join(Index(at, i), name), n))
			}
			seen = append(seen, n)
		}
		return errs
	}
}

// Words asks a function that says what is wrong with a text.
func Words(problems func(string) []string) Check {
	return func(at string, v any) field.Errors {
		var errs field.Errors
		if s, ok := v.(string); ok && s != "" {
			for _, p := range problems(s) {
				errs = append(errs, field.Invalid(at, s, p))
			}
		}
		return errs
	}
}

// Strictly is Words for a text that has to be there: a missing one is asked
// about as "".
func Strictly(problems func(string) []string) Check {
	return func(at string, v any) (errs field.Errors) {
		s, _ := v.(string)
		for _, p := range problems(s) {
			errs = append(errs, field.Invalid(at, s, p))
		}
		return errs
	}
}

// OneOf is a text of which only a few are allowed. "" is a missing value.
func OneOf(allowed ...string) Check {
	return func(at string, v any) field.Errors {
		if s, ok := v.(string); ok && s != "" && !slices.Contains(allowed, s) {
			return field.Errors{field.NotSupported(at, s, allowed...)}
		}
		return nil
	}
}

// MustBe is OneOf for a text that has to be there: a missing one is not among
// the allowed ones either.
func MustBe(allowed ...string) Check {
	return func(at string, v any) field.Errors {
		if s, _ := v.(string); !slices.Contains(allowed, s) {
			return field.Errors{field.NotSupported(at, s, allowed...)}
		}
		return nil
	}
}

// Between is an integer with bounds, which are allowed themselves.
func Between(low, high int64) Check {
	return func(at string, v any) field.Errors {
		if n, ok := integer(v); ok && (n < low || n > high) {
			return field.Errors{field.Invalid(at, v, fmt.Sprintf("must be between %d and %d, inclusive", low, high))}
		}
		return nil
	}
}

// NotNegative is an integer from 0 on.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/validation/generic.go ValidateNonnegativeField
func NotNegative(at string, v any) field.Errors {
	if n, ok := integer(v); ok && n < 0 {
		return field.Errors{field.Invalid(at, v, "must be greater than or equal to 0")}
	}
	return nil
}

// FileMode is the permission of a file.
func FileMode(at string, v any) field.Errors {
	if n, ok := integer(v); ok && (n < 0 || n > 0o777) {
		return field.Errors{field.Invalid(at, v, "must be a number between 0 and 0777 (octal), both inclusive")}
	}
	return nil
}

// Port is the number of a port.
var Port = Between(1, 65535)

// PortOrName is the number of a port or the name of one.
func PortOrName(at string, v any) field.Errors {
	switch v := v.(type) {
	case json.Number:
		return Port(at, v)
	case string:
		var errs field.Errors
		for _, p := range PortName(v) {
			errs = append(errs, field.Invalid(at, v, p))
		}
		return errs
	case nil:
		return field.Errors{field.Invalid(at, 0, "must be between 1 and 65535, inclusive")}
	}
	return nil
}

// Labels is a map of labels.
func Labels(at string, v any) field.Errors {
	t, _ := v.(Tree)
	return metadata.ValidateLabels(at, Strings(t))
}

// Never is a field that must not be set.
func Never(why string) Check {
	return func(at string, v any) field.Errors {
		if v != nil {
			return field.Errors{field.Forbidden(at, why)}
		}
		return nil
	}
}

func trimmed(s string) []string {
	if strings.TrimSpace(s) != s {
		return []string{"must not have leading or trailing whitespace"}
	}
	return nil
}

// Trimmed is a text without spaces around it.
var Trimmed = Words(trimmed)

// Only is the table of a structure in which exactly one field may be set. The
// first one that is set is checked, a further one is refused with many. n is
// how many are set.
func (f Fields) Only(at string, t Tree, many string) (errs field.Errors, n int) {
	for _, row := range f {
		v, set := t[row.Name]
		if !set {
			continue
		}
		if n++; n > 1 {
			errs = append(errs, field.Forbidden(Join(at, row.Name), many))
			continue
		}
		errs = append(errs, row.Check(Join(at, row.Name), v)...)
	}
	return errs, n
}

// Anything has no complaints.
func Anything(string, any) field.Errors { return nil }
