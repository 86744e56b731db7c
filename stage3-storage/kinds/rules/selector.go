package rules

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/object/field"
)

// LabelSelector is a query over labels: matchLabels and matchExpressions.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go ValidateLabelSelector
func LabelSelector(at string, v any) field.Errors { return labelSelector.Check(at, v) }

var labelSelector = Fields{
	{"matchLabels", Labels},
	{"matchExpressions", Each(requirement)},
}

// requirement is one term of matchExpressions.
func requirement(at string, v any) field.Errors {
	t, _ := v.(Tree)
	errs := Operands(at, t, "In", "NotIn", "Exists", "DoesNotExist")
	errs = append(errs, LabelKey(Join(at, "key"), t["key"])...)
	return append(errs, LabelValues(Join(at, "values"), t["values"])...)
}

// LabelValues is a list of label values.
func LabelValues(at string, v any) field.Errors { return Each(Words(LabelValue))(at, v) }

// Operands checks that a term has as many values as its operator takes.
func Operands(at string, t Tree, operators ...string) field.Errors {
	op, values := Text(t, "operator"), List(t, "values")
	if !slices.Contains(operators, op) {
		return field.Errors{field.Invalid(Join(at, "operator"), op, "not a valid selector operator")}
	}
	path := Join(at, "values")
	switch {
	case (op == "In" || op == "NotIn") && len(values) == 0:
		return field.Errors{field.Required(path, "must be specified when `operator` is 'In' or 'NotIn'")}
	case (op == "Exists" || op == "DoesNotExist") && len(values) > 0:
		return field.Errors{field.Forbidden(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")}
	case (op == "Gt" || op == "Lt") && len(values) != 1:
		return field.Errors{field.Required(path, "must be specified single value when `operator` is 'Lt' or 'Gt'")}
	}
	return nil
}
