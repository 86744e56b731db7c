package selector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Labels is a selector by labels: all its requirements must hold. The empty
// one matches everything.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/labels/selector.go Selector
type Labels []labelRequirement

// labelRequirement is about one label. values are sorted; exists and ! have none.
type labelRequirement struct {
	key    string
	op     string
	values []string
}

// The operators. All but exists are written as they are called here.
const (
	equals, doubleEquals, notEquals = "=", "==", "!="
	in, notIn                       = "in", "notin"
	exists, doesNotExist            = "exists", "!"
	greaterThan, lessThan           = ">", "<"
)

// Matches says whether an object with these labels is meant. A label that is
// not there satisfies != and notin.
func (l Labels) Matches(labels map[string]string) bool {
	for _, r := range l {
		if !r.matches(labels) {
			return false
		}
	}
	return true
}

func (r labelRequirement) matches(labels map[string]string) bool {
	value, there := labels[r.key]
	switch r.op {
	case exists:
		return there
	case doesNotExist:
		return !there
	case equals, doubleEquals, in:
		return there && slices.Contains(r.values, value)
	case notEquals, notIn:
		return !there || !slices.Contains(r.values, value)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	bound, _ := strconv.ParseInt(r.values[0], 10, 64) // it was checked when it was parsed
	return err == nil && (r.op == greaterThan && n > bound || r.op == lessThan && n < bound)
}

// String is a form that ParseLabels reads to the same selector. Equal selectors
// have equal forms, however they were written.
func (l Labels) String() string {
	terms := make([]string, len(l))
	for i, r := range l {
		terms[i] = r.String()
	}
	return strings.Join(terms, ",")
}

func (r labelRequirement) String() string {
	values := strings.Join(r.values, ",")
	switch r.op {
	case exists:
		return r.key
	case doesNotExist:
		return doesNotExist + r.key
	case in, notIn:
		return fmt.Sprintf("%s %s (%s)", r.key, r.op, values)
	}
	return r.key + r.op + values
}
