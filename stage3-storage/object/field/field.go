package field

import (
	"encoding/json"
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
)

// An Error is one problem of one field.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/validation/field/errors.go Error
type Error = status.Cause

// Errors are all problems of an object: a client gets them in one answer.
type Errors = status.Causes

// Required: the field must be there and is not.
func Required(path, detail string) Error {
	return Error{Reason: "FieldValueRequired", Message: "Required value" + tail(detail), Field: path}
}

// Invalid: the value breaks a rule.
func Invalid(path string, value any, detail string) Error {
	return Error{Reason: "FieldValueInvalid", Message: "Invalid value: " + show(value) + tail(detail), Field: path}
}

// NotSupported: the value is none of those allowed.
func NotSupported(path string, value any, allowed ...string) Error {
	quoted := make([]string, len(allowed))
	for i, a := range allowed {
		quoted[i] = show(a)
	}
	return Error{Reason: "FieldValueNotSupported", Message: "Unsupported value: " + show(value) + ": supported values: " + strings.Join(quoted, ", "), Field: path}
}

// Forbidden: the field must not be set, or not be changed.
func Forbidden(path, detail string) Error {
	return Error{Reason: "FieldValueForbidden", Message: "Forbidden" + tail(detail), Field: path}
}

// Duplicate: the value stands elsewhere too and must be unique.
func Duplicate(path string, value any) Error {
	return Error{Reason: "FieldValueDuplicate", Message: "Duplicate value: " + show(value), Field: path}
}

// NotFound: the value names something that is not there.
func NotFound(path string, value any) Error {
	return Error{Reason: "FieldValueNotFound", Message: "Not found: " + show(value), Field: path}
}

// TooLong: the value has more than max bytes. The value itself is not shown.
func TooLong(path string, max int) Error {
	return Error{Reason: "FieldValueTooLong", Message: fmt.Sprintf("Too long: may not be more than %d bytes", max), Field: path}
}

// TooMany: the list has more than max items.
func TooMany(path string, n, max int) Error {
	return Error{Reason: "FieldValueTooMany", Message: fmt.Sprintf("Too many: %d: must have at most %d items", n, max), Field: path}
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
