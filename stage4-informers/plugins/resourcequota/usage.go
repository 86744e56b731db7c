package resourcequota

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage4-informers/plugins/amounts"
)

// Counted are the resources that a quota's spec limits and that objects of one
// resource of the API use.
//
// Upstream: pkg/quota/resources.go CalculateUsage
func Counted(quota *object.Object, groupResource string) (names []string) {
	e := evaluatorFor(groupResource)
	if e == nil {
		return nil
	}
	return slices.DeleteFunc(amounts.Of(rules.Map(quota.Fields, "spec", "hard")).Names(), func(name string) bool { return !e.counts(name) })
}

// Usage is what objects of one resource use of what a quota limits.
//
// Upstream: pkg/quota/generic/evaluator.go CalculateUsageStats
func Usage(quota *object.Object, groupResource string, objects []*object.Object) amounts.List {
	e, names := evaluatorFor(groupResource), Counted(quota, groupResource)
	used := amounts.List{}
	for _, name := range names {
		used[name] = number(0)
	}
	for _, obj := range objects {
		if e.covers(quota, obj) {
			used.Add(e.usage(obj).Only(names))
		}
	}
	return used
}

// covers: the object is in all scopes of the quota.
func (e *evaluator) covers(quota, obj *object.Object) bool {
	return !slices.ContainsFunc(scopesOf(quota), func(s scope) bool { return !e.inScope(s, obj) })
}
