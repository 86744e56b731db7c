package kinds

import (
	"math/big"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// This file has the rules of what a pod as a whole may use, and of devices that
// are claimed for it.

// containerResources are what a container asks for; claims must be the pod's.
func (s *podSpec) containerResources(at string, v any) field.Errors {
	t, _ := v.(tree)
	errs := requirements(at, t, containerResource)
	return append(errs, s.checkClaims(at+".claims", t)...)
}

// checkClaims checks the names of the pod's claims that a container uses.
//
// Now: pkg/apis/core/validation/validation.go validateResourceClaimNames
func (s *podSpec) checkClaims(at string, resources tree) (errs field.Errors) {
	var names []string
	for _, c := range rules.Items(s.tree, "resourceClaims") {
		names = append(names, rules.Text(c, "name"))
	}
	slices.Sort(names)
	whole, parts := map[string]bool{}, map[string]bool{}
	for i, c := range rules.Items(resources, "claims") {
		here, name, request := rules.Index(at, i), rules.Text(c, "name"), rules.Text(c, "request")
		if name == "" {
			errs = append(errs, field.Required(here, ""))
			continue
		}
		errs = append(errs, rules.Label(here+".request", request)...)
		key := name + "/" + request
		switch {
		case whole[name], request == "" && parts[name]:
			errs = append(errs, field.Duplicate(here, name))
		case parts[key]:
			errs = append(errs, field.Duplicate(here, key))
		}
		if request == "" {
			whole[name] = true
		} else {
			parts[name], parts[key] = true, true
		}
		if !slices.Contains(names, name) {
			e := field.NotFound(here, name)
			e.Message += ": must be one of the names in pod.spec.resourceClaims"
			if len(names) == 0 {
				e.Message += " which is empty"
			} else {
				e.Message += ": " + strings.Join(names, ", ")
			}
			errs = append(errs, e)
		}
	}
	return errs
}

// resourceClaims are the devices that a pod claims, each by one of two names.
//
// Now: pkg/apis/core/validation/validation.go validatePodResourceClaim
func (s *podSpec) resourceClaims(at string, v any) (errs field.Errors) {
	names := map[string]bool{}
	list, _ := v.([]any)
	for i, c := range list {
		t, _ := c.(tree)
		here, name := rules.Index(at, i), rules.Text(t, "name")
		if names[name] {
			errs = append(errs, field.Duplicate(here+".name", name))
		} else {
			errs = append(errs, rules.Required(rules.Label)(here+".name", t["name"])...)
			names[name] = name != ""
		}
		claim, template := t["resourceClaimName"], t["resourceClaimTemplateName"]
		switch {
		case claim != nil && template != nil:
			errs = append(errs, field.Invalid(here, s.options.asGo("PodResourceClaim", t), "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"))
		case claim == nil && template == nil:
			errs = append(errs, field.Invalid(here, s.options.asGo("PodResourceClaim", t), "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"))
		}
		errs = append(errs, rules.Subdomain(here+".resourceClaimName", claim)...)
		errs = append(errs, rules.Subdomain(here+".resourceClaimTemplateName", template)...)
	}
	return errs
}

// podResource is the name of what a pod as a whole may ask for.
func podResource(at, name string) (errs field.Errors) {
	for _, p := range resourceName(name) {
		errs = append(errs, field.Invalid(at, name, p))
	}
	if len(errs) == 0 && name != "cpu" && name != "memory" && !hugePages(name) {
		errs = append(errs, field.NotSupported(at, name, "cpu", "memory"))
	}
	return errs
}

// checkResources: what the pod asks for is enough for its containers.
//
// Now: pkg/apis/core/validation/validation.go validatePodResources
func (s *podSpec) checkResources(at string) (errs field.Errors) {
	t := rules.Map(s.tree, "resources")
	switch {
	case t == nil:
		return nil
	case rules.Text(s.tree, "os", "name") == "windows":
		return field.Errors{field.Forbidden(at, "may not be set for a windows pod")}
	case t["claims"] != nil:
		errs = append(errs, field.Forbidden(at+".claims", "claims may not be set for Resources at pod-level"))
	}
	errs = append(errs, requirementsNamed(at, t, podResource)...)
	errs = append(errs, enough(at+".requests", rules.Map(t, "requests"), aggregate(s.tree, "requests"), nil, "requests")...)
	errs = append(errs, enough(at+".limits", rules.Map(t, "limits"), aggregate(s.tree, "limits"), hugePages, "limits")...)
	for i, c := range rules.Items(s.tree, "containers") {
		limits := rules.Map(c, "resources", "limits")
		for _, k := range rules.Keys(limits) {
			most, ok := rules.Quantity(rules.Get(t, "limits", k))
			if n, ok2 := rules.Quantity(limits[k]); ok && ok2 && n.Cmp(most) > 0 {
				path := rules.Key(rules.Index(at+".containers", i), k) + ".limits" // upstream's path
				errs = append(errs, field.Invalid(path, limits[k], "must be less than or equal to pod limits of "+rules.Text(t, "limits", k)))
			}
		}
	}
	return errs
}

// enough complains of amounts that are less than what the containers need
// together. only, where given, chooses the resources that are compared.
func enough(at string, given tree, needed map[string]amountOf, only func(string) bool, what string) (errs field.Errors) {
	for _, k := range rules.Keys(given) {
		need, asked := needed[k]
		n, ok := rules.Quantity(given[k])
		if ok && asked && (only == nil || only(k)) && need.n.Cmp(n) > 0 {
			errs = append(errs, field.Invalid(rules.Key(at, k), given[k], "must be greater than or equal to aggregate container "+what+" of "+need.text()))
		}
	}
	return errs
}

// amountOf is an amount and how it is to be written.
type amountOf struct {
	n      *big.Rat
	binary bool
}

func (a amountOf) text() string { return rules.QuantityText(a.n, a.binary) }

// aggregate is what the containers of a pod need together: all that run at the
// same time, or the one that needs most before they start.
//
// Upstream: pkg/api/resource/helpers.go PodRequestsAndLimits
// Now: staging/src/k8s.io/component-helpers/resource/helpers.go AggregateContainerRequests
func aggregate(s tree, kind string) map[string]amountOf {
	sum, before, beside := map[string]amountOf{}, map[string]amountOf{}, map[string]amountOf{}
	for _, c := range rules.Items(s, "containers") {
		add(sum, rules.Map(c, "resources", kind))
	}
	for _, c := range rules.Items(s, "initContainers") {
		own := rules.Map(c, "resources", kind)
		if c["restartPolicy"] == "Always" {
			add(beside, own)
			add(sum, own)
			continue
		}
		now := map[string]amountOf{}
		add(now, own)
		for k, a := range beside {
			now[k] = plus(now[k], a)
		}
		for k, a := range now {
			if m, there := before[k]; !there || a.n.Cmp(m.n) > 0 {
				before[k] = a
			}
		}
	}
	for k, a := range before {
		if m, there := sum[k]; !there || a.n.Cmp(m.n) > 0 {
			sum[k] = a
		}
	}
	return sum
}

func add(to map[string]amountOf, list tree) {
	for k, v := range list {
		if n, ok := rules.Quantity(v); ok {
			to[k] = plus(to[k], amountOf{n, rules.BinaryQuantity(textOf(v))})
		}
	}
}

func plus(a, b amountOf) amountOf {
	if a.n == nil {
		return b
	}
	return amountOf{new(big.Rat).Add(a.n, b.n), a.binary}
}

// defaultPodResources fills in what a pod asks for as a whole, if it has limits:
// what its containers ask for, or else as much as it may use.
//
// Now: pkg/apis/core/v1/defaults.go defaultPodRequests
func defaultPodResources(s tree) {
	t := rules.Map(s, "resources")
	limits := rules.Map(t, "limits")
	if len(limits) == 0 {
		return
	}
	requests := rules.Make(t, "requests")
	for k, a := range aggregate(s, "requests") {
		if (k == "cpu" || k == "memory") && requests[k] == nil {
			requests[k] = a.text()
		}
	}
	for k, v := range limits {
		if (k == "cpu" || k == "memory" || hugePages(k)) && requests[k] == nil {
			requests[k] = object.CopyTree(v)
		}
	}
}

// resizePolicies say what happens when a container's resources change.
//
// Now: pkg/apis/core/validation/validation.go validateResizePolicy
func (s *podSpec) resizePolicies(at string, v any) (errs field.Errors) {
	seen := map[string]bool{}
	list, _ := v.([]any)
	for i, p := range list {
		t, _ := p.(tree)
		name, restart := rules.Text(t, "resourceName"), rules.Text(t, "restartPolicy")
		if seen[name] {
			errs = append(errs, field.Duplicate(rules.Index(at, i), name))
		}
		seen[name] = true
		errs = append(errs, rules.Required(rules.OneOf("cpu", "memory"))(at, name)...)
		errs = append(errs, rules.Required(rules.OneOf("NotRequired", "RestartContainer"))(at, restart)...)
		if rules.Text(s.tree, "restartPolicy") == "Never" && restart != "NotRequired" {
			errs = append(errs, field.Invalid(at, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
		}
	}
	return errs
}
