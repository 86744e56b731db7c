package kinds

import (
	"math/big"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// This file knows what may be counted, and how: cpu, memory, pods, devices.

var (
	containerResources = []string{"cpu", "memory", "ephemeral-storage"}
	countedObjects     = []string{
		"pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps",
		"persistentvolumeclaims", "services.nodeports", "services.loadbalancers",
	}
	quotaResources = slices.Concat(containerResources, countedObjects, []string{
		"requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage",
		"limits.cpu", "limits.memory", "limits.ephemeral-storage",
	})
	standardResources = append(slices.Clone(quotaResources), "storage")
)

func hugePages(name string) bool { return strings.HasPrefix(name, "hugepages-") }

// native resources are Kubernetes' own; others are of the owner of a domain.
func native(name string) bool {
	return !strings.Contains(name, "/") || strings.Contains(name, "kubernetes.io/")
}

// extended resources are devices and the like: whole numbers, never shared.
func extended(name string) bool {
	return !native(name) && !strings.HasPrefix(name, "requests.") && len(metadata.QualifiedName("requests."+name)) == 0
}

// overcommitted resources may be used by more than is there, so that a limit
// may be above a request.
func overcommitted(name string) bool { return native(name) && !hugePages(name) }

// resourceName is the name of a resource of any kind.
func resourceName(name string) []string {
	if problems := metadata.QualifiedName(name); len(problems) > 0 {
		return problems
	}
	huge := hugePages(name) || strings.HasPrefix(name, "requests.hugepages-")
	if !strings.Contains(name, "/") && !huge && !slices.Contains(standardResources, name) {
		return []string{"must be a standard resource type or fully qualified"}
	}
	return nil
}

// containerResource is the name of what a container may ask for.
func containerResource(name string) []string {
	problems := resourceName(name)
	switch {
	case !strings.Contains(name, "/"):
		if !slices.Contains(containerResources, name) && !hugePages(name) {
			problems = append(problems, "must be a standard resource for containers")
		}
	case !native(name) && !extended(name):
		problems = append(problems, "doesn't follow extended resource name standard")
	}
	return problems
}

// quotaResource is the name of what a quota may limit.
func quotaResource(name string) []string {
	problems := resourceName(name)
	huge := hugePages(name) || strings.HasPrefix(name, "requests.hugepages-")
	if !strings.Contains(name, "/") && !huge && !slices.Contains(quotaResources, name) {
		problems = append(problems, "must be a standard resource for quota")
	}
	return problems
}

// amount is how much of a resource there is or may be.
//
// Upstream: pkg/api/validation/validation.go ValidateResourceQuantityValue
func amount(at, name string, v any) (errs field.Errors) {
	n, ok := rules.Quantity(v)
	if !ok {
		return nil
	}
	if n.Sign() < 0 {
		errs = append(errs, field.Invalid(at, v, "must be greater than or equal to 0"))
	}
	if !n.IsInt() && (slices.Contains(countedObjects, name) || extended(name)) {
		errs = append(errs, field.Invalid(at, v, "must be an integer"))
	}
	return errs
}

// wholePages: huge pages come in their own size only.
func wholePages(at, name string, v any) field.Errors {
	size, huge := strings.CutPrefix(name, "hugepages-")
	if !huge {
		return nil
	}
	n, ok := rules.Quantity(v)
	if !ok {
		return nil
	}
	if page, ok := rules.Quantity(size); ok && page.Sign() > 0 && new(big.Rat).Quo(n, page).IsInt() {
		return nil
	}
	return field.Errors{field.Invalid(at, v, textOf(v)+" is not positive integer multiple of "+name)}
}

func textOf(v any) string {
	s, _ := v.(string)
	return s
}

// requirements is what somebody asks for and may use at most; names says what
// is wrong with the name of a resource.
//
// Upstream: pkg/api/validation/validation.go ValidateResourceRequirements
// Now: pkg/apis/core/validation/validation.go validateResourceRequirements
func requirements(at string, t tree, names func(string) []string) field.Errors {
	return requirementsNamed(at, t, func(at, name string) (errs field.Errors) {
		for _, p := range names(name) {
			errs = append(errs, field.Invalid(at, name, p))
		}
		return errs
	})
}

func requirementsNamed(at string, t tree, check func(at, name string) field.Errors) (errs field.Errors) {
	limits, requests := rules.Map(t, "limits"), rules.Map(t, "requests")
	for _, part := range []struct {
		name string
		list tree
	}{{"limits", limits}, {"requests", requests}} {
		for _, k := range rules.Keys(part.list) {
			path := rules.Key(rules.Join(at, part.name), k)
			errs = append(errs, check(path, k)...)
			errs = append(errs, amount(path, k, part.list[k])...)
			if part.name == "requests" {
				errs = append(errs, checkRequest(at, k, part.list[k], limits)...)
			}
			errs = append(errs, wholePages(path, k, part.list[k])...)
		}
	}
	asks := func(name string) bool { return limits[name] != nil || requests[name] != nil }
	if slices.ContainsFunc(append(rules.Keys(limits), rules.Keys(requests)...), hugePages) && !asks("cpu") && !asks("memory") {
		errs = append(errs, field.Forbidden(at, "HugePages require cpu or memory"))
	}
	return errs
}

func checkRequest(at, name string, v any, limits tree) field.Errors {
	path := rules.Join(at, "requests")
	limit, limited := limits[name]
	if !limited {
		if !overcommitted(name) {
			return field.Errors{field.Required(rules.Join(at, "limits"), "Limit must be set for non overcommitable resources")}
		}
		return nil
	}
	asked, ok := rules.Quantity(v)
	most, ok2 := rules.Quantity(limit)
	switch {
	case !ok || !ok2:
	case asked.Cmp(most) != 0 && !overcommitted(name):
		return field.Errors{field.Invalid(path, v, "must be equal to "+name+" limit of "+textOf(limit))}
	case asked.Cmp(most) > 0:
		return field.Errors{field.Invalid(path, v, "must be less than or equal to "+name+" limit of "+textOf(limit))}
	}
	return nil
}

// roundUp makes amounts that are finer than a thousandth coarser: no node could
// keep account of them.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_ResourceList
func roundUp(lists ...tree) {
	for _, list := range lists {
		for k, v := range list {
			n, ok := rules.Quantity(v)
			if !ok {
				continue
			}
			milli := n.Mul(n, big.NewRat(1000, 1))
			if milli.IsInt() {
				continue
			}
			up := new(big.Int).Div(milli.Num(), milli.Denom()) // towards minus infinity
			list[k] = rules.QuantityText(new(big.Rat).SetFrac(up.Add(up, big.NewInt(1)), big.NewInt(1000)), false)
		}
	}
}
