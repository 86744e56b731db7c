package options

import (
	"slices"
	"strings"
)

// aggregate is several errors in one. errors.Is and errors.As look into it.
type aggregate []error

// Aggregate packs errors: none is nil, one is that one, several print as
// [a, b], a line each.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/errors/errors.go NewAggregate
func Aggregate(errs []error) error {
	errs = slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err == nil })
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return aggregate(errs)
}

func (a aggregate) Error() string {
	texts := make([]string, len(a))
	for i, err := range a {
		texts[i] = err.Error()
	}
	return "[" + strings.Join(texts, ",\n ") + "]"
}

// Unwrap is for package errors.
func (a aggregate) Unwrap() []error { return a }
