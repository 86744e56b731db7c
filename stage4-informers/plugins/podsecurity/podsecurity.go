package podsecurity

import (
	"context"
	"fmt"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// Name is what --admission-control calls the plugin.
const Name = "PodSecurity"

// New makes the plugin of its configuration, which may be nil. It works once it
// was given informers and a client.
func New(config []byte) (optionsadmission.Interface, error) {
	c, err := readConfiguration(config)
	if err != nil {
		return nil, err
	}
	checks, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	return &plugin{Handler: admission.Handler{rest.Create, rest.Update}, configuration: c, checks: checks}, err
}

type plugin struct {
	admission.Handler
	listers.Namespaces
	configuration
	checks policy.Evaluator
}

// templates are where the kinds that make pods keep what they make them of.
var templates = map[string][]string{
	"podtemplates":           {"template"},
	"replicationcontrollers": {"spec", "template"},
	"replicasets.apps":       {"spec", "template"},
	"deployments.apps":       {"spec", "template"},
	"daemonsets.apps":        {"spec", "template"},
	"statefulsets.apps":      {"spec", "template"},
	"jobs.batch":             {"spec", "template"},
	"cronjobs.batch":         {"spec", "jobTemplate", "spec", "template"},
}

// Validate judges pods, and what pods are made of, by their namespace, and
// namespaces by their labels.
func (p *plugin) Validate(ctx context.Context, a *admission.Attributes) error {
	path, makesPods := templates[a.Resource.GroupResource()]
	switch {
	case a.Of("namespaces"):
		return p.validateNamespace(ctx, a)
	case a.Resource.GroupResource() == "pods":
		return p.validatePod(ctx, a)
	case makesPods && a.Subresource == "":
		return p.validateTemplate(ctx, a, rules.Map(a.Object.Fields, path...))
	}
	return nil
}

// ignored subresources do not show a pod, or change no part of it that counts.
var ignored = map[string]bool{
	"exec": true, "attach": true, "binding": true, "eviction": true, "log": true, "portforward": true, "proxy": true, "status": true,
}

func (p *plugin) validatePod(ctx context.Context, a *admission.Attributes) error {
	if ignored[a.Subresource] || p.exempts(a.Key.Namespace, a.User.Name, runtimeClass(a.Object.Fields)) {
		return nil
	}
	namespace, err := p.Find(ctx, a.Key.Namespace)
	if err != nil {
		return status.Internal(fmt.Errorf("failed to lookup namespace %q", a.Key.Namespace))
	}
	wanted, errs := api.PolicyToEvaluate(namespace.Meta.Labels, p.policy)
	if len(errs) == 0 && wanted.FullyPrivileged() || a.Old != nil && !significant(a.Object, a.Old) {
		return nil
	}
	pod, err := podOf(a.Object.Tree())
	if err != nil {
		return err
	}
	enforced := policy.AggregateCheckResults(p.checks.EvaluatePod(wanted.Enforce, &pod.ObjectMeta, &pod.Spec))
	if !enforced.Allowed {
		return admission.Forbidden(a, fmt.Sprintf("violates PodSecurity %q: %s", wanted.Enforce.String(), enforced.ForbiddenDetail()))
	}
	p.warn(ctx, wanted.Warn, pod)
	return nil
}

// validateTemplate only warns: what is made of the template comes here itself.
func (p *plugin) validateTemplate(ctx context.Context, a *admission.Attributes, template rules.Tree) error {
	if template == nil || p.exempts(a.Key.Namespace, a.User.Name, runtimeClass(template)) {
		return nil
	}
	namespace, err := p.Find(ctx, a.Key.Namespace)
	if err != nil {
		return nil
	}
	wanted, _ := api.PolicyToEvaluate(namespace.Meta.Labels, p.policy)
	if wanted.Warn.Level == api.LevelPrivileged {
		return nil
	}
	pod, err := podOf(template)
	if err != nil {
		return err
	}
	p.warn(ctx, wanted.Warn, pod)
	return nil
}

func (p *plugin) warn(ctx context.Context, wanted api.LevelVersion, pod *pod) {
	result := policy.AggregateCheckResults(p.checks.EvaluatePod(wanted, &pod.ObjectMeta, &pod.Spec))
	if !result.Allowed {
		request.Warn(ctx, fmt.Sprintf("would violate PodSecurity %q: %s", wanted.String(), result.ForbiddenDetail()))
	}
}
