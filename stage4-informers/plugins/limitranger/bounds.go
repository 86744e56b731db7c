package limitranger

import (
	"fmt"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage4-informers/plugins/amounts"
	"k8s.io/apimachinery/pkg/api/resource"
)

// checkPod compares a pod with one item of a limit range: its containers one
// by one, or all of it together.
//
// Upstream: plugin/pkg/admission/limitranger/admission.go PodLimitFunc
func checkPod(spec, limit rules.Tree) (problems []string) {
	switch limit["type"] {
	case "Container":
		for _, list := range []string{"containers", "initContainers"} {
			for _, c := range rules.Items(spec, list) {
				requests, limits := amounts.Of(rules.Map(c, "resources", "requests")), amounts.Of(rules.Map(c, "resources", "limits"))
				problems = append(problems, check(limit, requests, limits)...)
			}
		}
	case "Pod":
		problems = check(limit, amounts.PodRequests(spec), amounts.PodLimits(spec))
	}
	return problems
}

// checkClaim compares a claim, which has requests only.
//
// Upstream: plugin/pkg/admission/limitranger/admission.go PersistentVolumeClaimLimitFunc
func checkClaim(resources, limit rules.Tree) (problems []string) {
	if limit["type"] != "PersistentVolumeClaim" {
		return nil
	}
	requests := amounts.Of(rules.Map(resources, "requests"))
	for _, b := range bounds(limit, "min") {
		problems = append(problems, b.least(requests, nil)...)
	}
	for _, b := range bounds(limit, "max") {
		problems = append(problems, b.mostOf(requests)...)
	}
	return problems
}

func check(limit rules.Tree, requests, limits amounts.List) (problems []string) {
	for _, b := range bounds(limit, "min") {
		problems = append(problems, b.least(requests, limits)...)
	}
	for _, b := range bounds(limit, "max") {
		problems = append(problems, b.most(requests, limits)...)
	}
	for _, b := range bounds(limit, "maxLimitRequestRatio") {
		problems = append(problems, b.ratio(requests, limits)...)
	}
	return problems
}

// bound is one number of a limit range: of one resource, for one type.
type bound struct {
	of, kind string
	value    resource.Quantity
}

func bounds(limit rules.Tree, part string) (list []bound) {
	values := amounts.Of(rules.Map(limit, part))
	for _, name := range values.Names() {
		list = append(list, bound{name, rules.Text(limit, "type"), values[name]})
	}
	return list
}

func (b bound) says(format string, args ...any) []string {
	return []string{fmt.Sprintf(format, append([]any{b.of, b.kind, b.value.String()}, args...)...)}
}

// least: there must be a request, and nothing may be below.
func (b bound) least(requests, limits amounts.List) []string {
	request, asked := requests[b.of]
	limit, limited := limits[b.of]
	switch {
	case !asked:
		return b.says("minimum %s usage per %s is %s.  No request is specified")
	case request.Cmp(b.value) < 0:
		return b.says("minimum %s usage per %s is %s, but request is %s", request.String())
	case limited && limit.Cmp(b.value) < 0:
		return b.says("minimum %s usage per %s is %s, but limit is %s", limit.String())
	}
	return nil
}

// most: there must be a limit, and nothing may be above.
func (b bound) most(requests, limits amounts.List) []string {
	request, asked := requests[b.of]
	limit, limited := limits[b.of]
	switch {
	case !limited:
		return b.says("maximum %s usage per %s is %s.  No limit is specified")
	case limit.Cmp(b.value) > 0:
		return b.says("maximum %s usage per %s is %s, but limit is %s", limit.String())
	case asked && request.Cmp(b.value) > 0:
		return b.says("maximum %s usage per %s is %s, but request is %s", request.String())
	}
	return nil
}

// mostOf is most for what has requests only.
func (b bound) mostOf(requests amounts.List) []string {
	request, asked := requests[b.of]
	switch {
	case !asked:
		return b.says("maximum %s usage per %s is %s.  No request is specified")
	case request.Cmp(b.value) > 0:
		return b.says("maximum %s usage per %s is %s, but request is %s", request.String())
	}
	return nil
}

// ratio: a limit may be so many times the request, not more.
func (b bound) ratio(requests, limits amounts.List) []string {
	request, limit := requests[b.of], limits[b.of]
	switch {
	case request.IsZero():
		return b.says("%s max limit to request ratio per %s is %s, but no request is specified or request is 0")
	case limit.IsZero():
		return b.says("%s max limit to request ratio per %s is %s, but no limit is specified or limit is 0")
	}
	if ratio := limit.AsApproximateFloat64() / request.AsApproximateFloat64(); ratio > b.value.AsApproximateFloat64() {
		return b.says("%s max limit to request ratio per %s is %s, but provided ratio is %f", ratio)
	}
	return nil
}
