package authorizer

import (
	"slices"
	"strings"
)

// PolicyRule allows verbs on resources, or on paths that are no resources.
//
// Upstream: pkg/apis/rbac/v1beta1/types.go PolicyRule
// Now: staging/src/k8s.io/api/rbac/v1/types.go PolicyRule
type PolicyRule struct {
	Verbs           []string
	APIGroups       []string
	Resources       []string // pods, pods/status, */status, *
	ResourceNames   []string // none: all
	NonResourceURLs []string // /healthz, /apis/*, *
}

// Allows says whether the rule covers what is wanted.
//
// Upstream: plugin/pkg/auth/authorizer/rbac/rbac.go RuleAllows
func (r PolicyRule) Allows(a Attributes) bool {
	if !has(r.Verbs, a.Verb) {
		return false
	}
	if !a.IsResource {
		return slices.ContainsFunc(r.NonResourceURLs, func(pattern string) bool { return pathMatches(pattern, a.Path) })
	}
	return has(r.APIGroups, a.Group) && r.coversResource(a) &&
		(len(r.ResourceNames) == 0 || slices.Contains(r.ResourceNames, a.Name)) // of names, * is none
}

// coversResource: a rule on pods does not cover pods/log, a rule on * does.
//
// Upstream: pkg/apis/rbac/helpers.go ResourceMatches
// Now: pkg/apis/rbac/v1/evaluation_helpers.go ResourceMatches
func (r PolicyRule) coversResource(a Attributes) bool {
	if a.Subresource == "" {
		return has(r.Resources, a.Resource)
	}
	return has(r.Resources, a.Resource+"/"+a.Subresource) || slices.Contains(r.Resources, "*/"+a.Subresource)
}

func has(list []string, wanted string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, wanted)
}

// pathMatches: a pattern that ends in * is a prefix.
//
// Upstream: pkg/apis/rbac/helpers.go NonResourceURLMatches
// Now: pkg/apis/rbac/v1/evaluation_helpers.go NonResourceURLMatches
func pathMatches(pattern, path string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(path, prefix)
	}
	return pattern == path
}
