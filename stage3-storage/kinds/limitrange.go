package kinds

import (
	"fmt"
	"math/big"
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// limitRanges have no columns of their own.
func limitRanges() Kind {
	return Kind{Kind: registry.Kind{
		Resource: row("limitranges", "limitrange", "LimitRange", "limitranges", true, "limits"),
		Strategy: registry.Strategy{
			AllowCreateOnUpdate: true,
			NameIsUID:           true,
			Default:             defaultLimits,
			Validate:            func(o *object.Object) field.Errors { return checkLimits("spec.limits", o) },
		},
	}}
}

// defaultLimits: what a container may use at most is what it gets where it asks
// for nothing; what it gets is what it is taken to need.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_LimitRangeItem
func defaultLimits(o *object.Object) {
	for _, l := range rules.Items(o.Fields, "spec", "limits") {
		for _, part := range limitParts {
			roundUp(rules.Map(l, part))
		}
		if l["type"] != "Container" {
			continue
		}
		addMissing(l, "default", "max")
		addMissing(l, "defaultRequest", "default")
		addMissing(l, "defaultRequest", "min")
	}
}

func addMissing(l tree, to, from string) {
	for k, v := range rules.Map(l, from) {
		m := rules.Make(l, to)
		if _, there := m[k]; !there {
			m[k] = v
		}
	}
}

// checkLimits returns all that is wrong with the limits.
//
// Upstream: pkg/api/validation/validation.go ValidateLimitRange
func checkLimits(at string, o *object.Object) (errs field.Errors) {
	var seen []string
	for i, l := range rules.Items(o.Fields, "spec", "limits") {
		path, kind := rules.Index(at, i), rules.Text(l, "type")
		errs = append(errs, limitType(path+".type", kind)...)
		if slices.Contains(seen, kind) {
			errs = append(errs, field.Duplicate(path+".type", kind))
		}
		seen = append(seen, kind)
		names := resourceName
		if kind == "Pod" || kind == "Container" {
			names = containerResource
		}
		for _, part := range limitParts {
			errs = append(errs, limitPart(rules.Join(path, part), kind, part, rules.Map(l, part), names)...)
		}
		if kind == "PersistentVolumeClaim" && rules.Get(l, "min", "storage") == nil && rules.Get(l, "max", "storage") == nil {
			errs = append(errs, field.Required(path+".limits", "either minimum or maximum storage value is required, but neither was provided"))
		}
		for _, name := range resourcesOf(l) {
			errs = append(errs, checkOrder(path, name, l)...)
		}
	}
	return errs
}

var limitParts = []string{"max", "min", "default", "defaultRequest", "maxLimitRequestRatio"}

func limitType(at, kind string) (errs field.Errors) {
	for _, p := range metadata.QualifiedName(kind) {
		errs = append(errs, field.Invalid(at, kind, p))
	}
	known := slices.Contains([]string{"Pod", "Container", "PersistentVolumeClaim"}, kind)
	if len(errs) == 0 && !known && native(kind) {
		errs = append(errs, field.Invalid(at, kind, "must be a standard limit type or fully qualified"))
	}
	return errs
}

func limitPart(at, kind, part string, list tree, names func(string) []string) (errs field.Errors) {
	if kind == "Pod" && (part == "default" || part == "defaultRequest") {
		if len(list) > 0 {
			errs = append(errs, field.Forbidden(at, "may not be specified when `type` is 'Pod'"))
		}
		return errs
	}
	for _, k := range rules.Keys(list) {
		for _, p := range names(k) {
			errs = append(errs, field.Invalid(rules.Key(at, k), k, p))
		}
	}
	return errs
}

func resourcesOf(l tree) []string {
	var names []string
	for _, part := range limitParts {
		names = append(names, rules.Keys(rules.Map(l, part))...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// orders are the pairs of amounts of which the first must not be above the
// second; wrong is the one that is complained of.
var orders = []struct{ low, high, wrong, shown, lowText, highText string }{
	{"min", "max", "min", "min", "min value", "max value"},
	{"min", "defaultRequest", "defaultRequest", "defaultRequest", "min value", "default request value"},
	{"defaultRequest", "max", "defaultRequest", "defaultRequest", "default request value", "max value"},
	{"defaultRequest", "default", "defaultRequest", "defaultRequest", "default request value", "default limit value"},
	{"min", "default", "default", "min", "min value", "default value"},
	{"default", "max", "default", "max", "default value", "max value"},
}

func checkOrder(at, name string, l tree) (errs field.Errors) {
	of := func(part string) (*big.Rat, string, bool) {
		text := rules.Text(l, part, name)
		n, ok := rules.Quantity(text)
		return n, text, ok
	}
	for _, o := range orders {
		low, lowText, ok := of(o.low)
		high, highText, ok2 := of(o.high)
		if ok && ok2 && low.Cmp(high) > 0 && !(l["type"] == "Pod" && o.wrong != "min") {
			why := fmt.Sprintf("%s %s is greater than %s %s", o.lowText, lowText, o.highText, highText)
			errs = append(errs, field.Invalid(rules.Key(rules.Join(at, o.wrong), name), rules.Text(l, o.shown, name), why))
		}
	}
	errs = append(errs, checkRatio(rules.Key(at+".maxLimitRequestRatio", name), of)...)
	given, givenText, ok := of("default")
	asked, askedText, ok2 := of("defaultRequest")
	if ok && ok2 && !overcommitted(name) && l["type"] != "Pod" && given.Cmp(asked) != 0 {
		why := fmt.Sprintf("default value %s must equal to defaultRequest value %s in %s", givenText, askedText, name)
		errs = append(errs, field.Invalid(rules.Key(at+".defaultRequest", name), askedText, why))
	}
	return errs
}

// checkRatio: a limit cannot be further above a request than the bounds allow.
func checkRatio(at string, of func(string) (*big.Rat, string, bool)) (errs field.Errors) {
	ratio, text, ok := of("maxLimitRequestRatio")
	if !ok {
		return nil
	}
	if ratio.Cmp(big.NewRat(1, 1)) < 0 {
		errs = append(errs, field.Invalid(at, text, fmt.Sprintf("ratio %s is less than 1", text)))
	}
	low, _, ok := of("min")
	high, _, ok2 := of("max")
	if ok && ok2 && low.Sign() > 0 {
		if most := new(big.Rat).Quo(high, low); ratio.Cmp(most) > 0 {
			f, _ := most.Float64()
			errs = append(errs, field.Invalid(at, text, fmt.Sprintf("ratio %s is greater than max/min = %f", text, f)))
		}
	}
	return errs
}
