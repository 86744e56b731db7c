package field

import (
	"encoding/json"
	"fmt"
	"strings"
)

// An Error is one problem of one field. Field is a path such as
// "spec.ports[0].port"; the empty path is the whole object.
//
// Upstream: vendor/k8s.io/apimachinery/pkg/util/validation/field/errors.go Error
type Error struct {
	Reason string // the machine's word, FieldValueInvalid and so on
	Field  string
	Body   string // the sentence without the field
}

func (e Error) Error() string {
	if e.Field == "" {
		return "<nil>: " + e.Body
	}
	return e.Field + ": " + e.Body
}

// Errors are all problems of an object: a client gets them in one answer.
type Errors []Error

func (l Errors) Error() string {
	texts := make([]string, len(l))
	for i, e := range l {
		texts[i] = e.Error()
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// Required: the field must be there and is not.
func Required(path, detail string) Error {
	return Error{"FieldValueRequired", path, "Required value" + tail(detail)}
}

// Invalid: the value breaks a rule.
func Invalid(path string, value any, detail string) Error {
	return Error{"FieldValueInvalid", path, "Invalid value: " + show(value) + tail(detail)}
}

// NotSupported: the value is none of those allowed.
func NotSupported(path string, value any, allowed ...string) Error {
	quoted := make([]string, len(allowed))
	for i, a := range allowed {
		quoted[i] = show(a)
	}
	return Error{"FieldValueNotSupported", path, "Unsupported value: " + show(value) + ": supported values: " + strings.Join(quoted, ", ")}
}

// Forbidden: the field must not be set, or not be changed.
func Forbidden(path, detail string) Error {
	return Error{"FieldValueForbidden", path, "Forbidden" + tail(detail)}
}

// Duplicate: the value stands elsewhere too and must be unique.
func Duplicate(path string, value any) Error {
	return Error{"FieldValueDuplicate", path, "Duplicate value: " + show(value)}
}

// NotFound: the value names something that is not there.
func NotFound(path string, value any) Error {
	return Error{"FieldValueNotFound", path, "Not found: " + show(value)}
}

// TooLong: the value has more than max bytes. The value itself is not shown.
func TooLong(path string, max int) Error {
	return Error{"FieldValueTooLong", path, fmt.Sprintf("Too long: may not be more than %d bytes", max)}
}

// TooMany: the list has more than max items.
func TooMany(path string, n, max int) Error {
	return Error{"FieldValueTooMany", path, fmt.Sprintf("Too many: %d: must have at most %d items", n, max)}
}

func tail(detail string) string {
	if detail == "" {
		return ""
	}
	return ": " + detail
}

func show(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case nil:
		return "null"
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
