package authorizer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// RuleResolver lists what a user may do in a namespace, or without one in the
// whole cluster. incomplete says that there may be more; an error, that
// something could not be read.
//
// Now: staging/src/k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go RuleResolver
type RuleResolver interface {
	RulesFor(ctx context.Context, user request.User, namespace string) (rules []PolicyRule, incomplete bool, err error)
}

// RulesFor is part of RuleResolver: the rules of all that can list theirs.
//
// Now: staging/src/k8s.io/apiserver/pkg/authorization/union/union.go RulesFor
func (u Union) RulesFor(ctx context.Context, user request.User, namespace string) (rules []PolicyRule, incomplete bool, err error) {
	var errs []error
	for _, a := range u {
		if r, ok := a.(RuleResolver); ok {
			more, partial, err := r.RulesFor(ctx, user, namespace)
			rules, incomplete, errs = append(rules, more...), incomplete || partial, append(errs, err)
		}
	}
	return rules, incomplete, errors.Join(errs...)
}

// RulesFor is part of RuleResolver.
func (a Always) RulesFor(context.Context, request.User, string) (rules []PolicyRule, incomplete bool, err error) {
	if a.Decision == Allow {
		rules = []PolicyRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}}, {Verbs: []string{"*"}, NonResourceURLs: []string{"*"}}}
	}
	return rules, false, nil
}

// RulesFor is part of RuleResolver.
//
// Upstream: pkg/registry/rbac/validation/rule.go RulesFor
func (r RBAC) RulesFor(ctx context.Context, user request.User, namespace string) (rules []PolicyRule, incomplete bool, err error) {
	var unread []error
	for _, ns := range scopes(namespace) {
		bindings, err := r.Policy.Bindings(ctx, ns)
		if err != nil {
			unread = append(unread, err)
		}
		for _, b := range bindings {
			if !slices.ContainsFunc(b.Subjects, func(s Subject) bool { return s.in(b.Namespace).is(user) }) {
				continue
			}
			role, err := r.Role(ctx, b)
			if err != nil {
				unread = append(unread, err)
			}
			rules = append(rules, role.Rules...)
		}
	}
	if text := list(unread); text != "" {
		return rules, false, errors.New(text)
	}
	return rules, false, nil
}

// Missing is what of the wanted rules the owned ones do not cover, in as few
// rules as it takes to say it.
//
// Upstream: pkg/registry/rbac/validation/policy_comparator.go Covers
// Now: staging/src/k8s.io/component-helpers/auth/rbac/validation/policy_comparator.go Covers
func Missing(owned, wanted []PolicyRule) []PolicyRule {
	var missing []PolicyRule
	for _, w := range wanted {
		for _, part := range w.parts() {
			if !slices.ContainsFunc(owned, func(o PolicyRule) bool { return o.covers(part) }) {
				missing = append(missing, part)
			}
		}
	}
	return compact(missing)
}

// parts are rules about one verb and one thing each.
func (r PolicyRule) parts() []PolicyRule {
	var parts []PolicyRule
	for _, verb := range r.Verbs {
		for _, path := range r.NonResourceURLs {
			parts = append(parts, PolicyRule{Verbs: []string{verb}, NonResourceURLs: []string{path}})
		}
	}
	for _, group := range r.APIGroups {
		for _, resource := range r.Resources {
			for _, verb := range r.Verbs {
				part := PolicyRule{Verbs: []string{verb}, APIGroups: []string{group}, Resources: []string{resource}}
				if len(r.ResourceNames) == 0 {
					parts = append(parts, part)
				}
				for _, name := range r.ResourceNames {
					part.ResourceNames = []string{name}
					parts = append(parts, part)
				}
			}
		}
	}
	return parts
}

// covers says whether the rule allows all that a part allows.
func (r PolicyRule) covers(part PolicyRule) bool {
	if !has(r.Verbs, part.Verbs[0]) {
		return false
	}
	if len(part.NonResourceURLs) > 0 {
		return slices.ContainsFunc(r.NonResourceURLs, func(pattern string) bool { return pathMatches(pattern, part.NonResourceURLs[0]) })
	}
	resource, sub, _ := strings.Cut(part.Resources[0], "/")
	return has(r.APIGroups, part.APIGroups[0]) &&
		(has(r.Resources, part.Resources[0]) || resource != "" && sub != "" && slices.Contains(r.Resources, "*/"+sub)) &&
		(len(r.ResourceNames) == 0 || len(part.ResourceNames) > 0 && slices.Contains(r.ResourceNames, part.ResourceNames[0]))
}

// compact joins parts that differ in their verb only; those about paths stay.
//
// Upstream: pkg/registry/rbac/validation/policy_compact.go CompactRules
func compact(parts []PolicyRule) []PolicyRule {
	var rules []PolicyRule
	for _, p := range parts {
		i := slices.IndexFunc(rules, func(r PolicyRule) bool {
			return len(p.NonResourceURLs) == 0 && slices.Equal(r.APIGroups, p.APIGroups) && slices.Equal(r.Resources, p.Resources) && slices.Equal(r.ResourceNames, p.ResourceNames)
		})
		if i < 0 {
			rules = append(rules, p)
		} else if !slices.Contains(rules[i].Verbs, p.Verbs[0]) {
			rules[i].Verbs = append(slices.Clip(rules[i].Verbs), p.Verbs[0])
		}
	}
	return rules
}

// String is the rule as error messages show it.
//
// Upstream: pkg/apis/rbac/helpers.go CompactString
// Now: pkg/apis/rbac/v1/evaluation_helpers.go CompactString
func (r PolicyRule) String() string {
	var parts []string
	for _, f := range []struct {
		name   string
		values []string
	}{{"APIGroups", r.APIGroups}, {"Resources", r.Resources}, {"NonResourceURLs", r.NonResourceURLs}, {"ResourceNames", r.ResourceNames}, {"Verbs", r.Verbs}} {
		if len(f.values) > 0 {
			parts = append(parts, fmt.Sprintf("%s:%q", f.name, f.values))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
