package podsecurity

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	kubefield "k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// validateNamespace refuses labels that mean nothing, and tells whoever makes
// the labels stricter which pods would not be let in any more.
//
// Now: staging/src/k8s.io/pod-security-admission/admission/admission.go ValidateNamespace
func (p *plugin) validateNamespace(ctx context.Context, a *admission.Attributes) error {
	name, labels := a.Object.Meta.Name, a.Object.Meta.Labels
	wanted, errs := api.PolicyToEvaluate(labels, p.policy)
	exempt := p.exempts(name, "", "")
	if a.Old == nil {
		if len(errs) > 0 {
			return invalid(name, errs)
		}
		if exempt {
			p.warnOfExemption(ctx, name, wanted, labels)
		}
		return nil
	}
	before, oldErrs := api.PolicyToEvaluate(a.Old.Meta.Labels, p.policy)
	if len(errs) > 0 && (len(oldErrs) == 0 || errs.ToAggregate().Error() != oldErrs.ToAggregate().Error()) {
		return invalid(name, errs)
	}
	now, was := wanted.Enforce, before.Enforce
	switch {
	case now == was, now.Level == api.LevelPrivileged, now.Version == was.Version && api.CompareLevels(now.Level, was.Level) < 1:
	case exempt:
		p.warnOfExemption(ctx, name, wanted, labels)
	default:
		request.Warn(ctx, p.violations(ctx, name, now)...)
	}
	return nil
}

func invalid(name string, errs kubefield.ErrorList) error {
	var list field.Errors
	for _, e := range errs {
		list = append(list, field.Invalid(e.Field, e.BadValue, e.Detail))
	}
	return status.Invalid("", "Namespace", name, list)
}

// warnOfExemption: labels on a namespace that is exempt have no effect.
func (p *plugin) warnOfExemption(ctx context.Context, name string, wanted api.Policy, labels map[string]string) {
	if wanted.FullyPrivileged() || wanted.Equivalent(&p.policy) {
		return
	}
	var parts []string
	for _, m := range []struct {
		mode, level, version string
		wanted               api.LevelVersion
	}{
		{"enforce", api.EnforceLevelLabel, api.EnforceVersionLabel, wanted.Enforce},
		{"audit", api.AuditLevelLabel, api.AuditVersionLabel, wanted.Audit},
		{"warn", api.WarnLevelLabel, api.WarnVersionLabel, wanted.Warn},
	} {
		_, level := labels[m.level]
		_, version := labels[m.version]
		if m.wanted.Level != api.LevelPrivileged && (level || version) {
			parts = append(parts, m.mode+"="+m.wanted.String())
		}
	}
	request.Warn(ctx, fmt.Sprintf("namespace %q is exempt from Pod Security, and the policy (%s) will be ignored", name, strings.Join(parts, ", ")))
}

const (
	mostPods = 3000 // that are checked when labels change
	patience = time.Second
)

// violations are warnings of the pods in a namespace that a new level does not allow.
//
// Now: staging/src/k8s.io/pod-security-admission/admission/admission.go EvaluatePodsInNamespace
func (p *plugin) violations(ctx context.Context, namespace string, wanted api.LevelVersion) []string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	pods, err := p.podsOf(ctx, namespace)
	if err != nil {
		return []string{"failed to list pods while checking new PodSecurity enforce level"}
	}
	names := map[string][]string{} // of the pods, by what is wrong with them
	checked := 0
	for ; checked < min(len(pods), mostPods) && ctx.Err() == nil; checked++ {
		pod := pods[checked]
		result := policy.AggregateCheckResults(p.checks.EvaluatePod(wanted, &pod.ObjectMeta, &pod.Spec))
		if !result.Allowed {
			names[result.ForbiddenReason()] = append(names[result.ForbiddenReason()], pod.Name)
		}
	}
	var warnings, lines []string
	if checked < len(pods) {
		warnings = append(warnings, fmt.Sprintf("new PodSecurity enforce level only checked against the first %d of %d existing pods", checked, len(pods)))
	}
	if len(names) > 0 {
		warnings = append(warnings, fmt.Sprintf("existing pods in namespace %q violate the new PodSecurity enforce level %q", namespace, wanted.String()))
	}
	for reason, pods := range names {
		lines = append(lines, slices.Min(pods)+others(len(pods)-1)+": "+reason)
	}
	slices.Sort(lines)
	return append(warnings, lines...)
}

func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " (and 1 other pod)"
	}
	return fmt.Sprintf(" (and %d other pods)", n)
}

// podsOf lists the pods of a namespace: first one of each controller, since
// those that it makes are alike.
func (p *plugin) podsOf(ctx context.Context, namespace string) (pods []*pod, err error) {
	list, err := p.Client.ListerWatcher(catalog.Resource{Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true}, namespace).List(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var alike []*pod
	for _, item := range list.Items {
		obj, err := item.Object()
		if err != nil {
			return nil, err
		}
		if p.exempts("", "", runtimeClass(obj.Fields)) {
			continue
		}
		next, err := podOf(obj.Tree())
		if err != nil {
			return nil, err
		}
		owner := ""
		for _, o := range next.OwnerReferences {
			if o.Controller != nil && *o.Controller {
				owner = string(o.UID)
			}
		}
		if owner != "" && seen[owner] {
			alike = append(alike, next)
			continue
		}
		seen[owner] = true
		pods = append(pods, next)
	}
	return append(pods, alike...), nil
}
