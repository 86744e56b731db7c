package limitranger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// Name is what --admission-control calls the plugin.
const Name = "LimitRanger"

// New makes the plugin. It works once it was given informers.
func New() optionsadmission.Interface {
	return &plugin{Handler: admission.Handler{rest.Create, rest.Update}}
}

type plugin struct {
	admission.Handler
	limits *listers.Lister
}

// SetInformers asks for an informer of limit ranges.
func (p *plugin) SetInformers(f *informers.SharedInformerFactory) {
	p.limits = listers.New(f, "limitranges", "LimitRange", true)
}

// ValidateInitialization says whether everything needed was given.
func (p *plugin) ValidateInitialization() error {
	if p.limits == nil {
		return errors.New("missing informers")
	}
	return nil
}

// Admit fills in the defaults of containers.
func (p *plugin) Admit(ctx context.Context, a *admission.Attributes) error {
	if a.Resource.GroupResource() != "pods" {
		return nil
	}
	return p.each(ctx, a, func(limit rules.Tree) []string {
		setDefaults(a.Object, limit)
		return nil
	})
}

// Validate compares with the bounds.
func (p *plugin) Validate(ctx context.Context, a *admission.Attributes) error {
	return p.each(ctx, a, func(limit rules.Tree) []string {
		if a.Resource.Name == "pods" {
			return checkPod(rules.Map(a.Object.Fields, "spec"), limit)
		}
		return checkClaim(rules.Map(a.Object.Fields, "spec", "resources"), limit)
	})
}

// concerned: what a pod asks for changes under /resize only.
func concerned(a *admission.Attributes) bool {
	switch {
	case a.Old != nil && a.Old.Meta.DeletionTimestamp != "":
		return false
	case a.Of("pods"):
		return a.Operation == rest.Create
	}
	return a.Of("persistentvolumeclaims") || a.Resource.GroupResource() == "pods" && a.Subresource == "resize"
}

// each hands the items of every limit range of the namespace to visit. The
// first range that something is wrong with answers the request.
func (p *plugin) each(ctx context.Context, a *admission.Attributes, visit func(limit rules.Tree) []string) error {
	if !concerned(a) {
		return nil
	}
	if err := p.limits.Wait(ctx, a); err != nil {
		return err
	}
	ranges, err := p.limits.In(a.Key.Namespace)
	if err != nil {
		return err
	}
	for _, r := range ranges {
		var problems []string
		for _, limit := range rules.Items(r.Fields, "spec", "limits") {
			problems = append(problems, visit(limit)...)
		}
		if len(problems) > 0 {
			return admission.Forbidden(a, together(problems))
		}
	}
	return nil
}

// together makes one sentence of several problems, each told once.
func together(problems []string) string {
	var once []string
	for _, p := range problems {
		if !slices.Contains(once, p) {
			once = append(once, p)
		}
	}
	if len(once) == 1 {
		return once[0]
	}
	return "[" + strings.Join(once, ", ") + "]"
}

const annotation = "kubernetes.io/limit-ranger"

// setDefaults gives the containers of a pod what a limit has for them, and
// notes on the pod what it did.
//
// Upstream: plugin/pkg/admission/limitranger/admission.go mergePodResourceRequirements
func setDefaults(pod *object.Object, limit rules.Tree) {
	if limit["type"] != "Container" {
		return
	}
	var notes []string
	for _, list := range []struct{ field, word string }{{"containers", "container"}, {"initContainers", "init container"}} {
		for _, c := range rules.Items(pod.Fields, "spec", list.field) {
			// Limits first, as the defaults of requests do not depend on them.
			limits, requests := fill(c, "limits", rules.Map(limit, "default")), fill(c, "requests", rules.Map(limit, "defaultRequest"))
			for _, set := range []struct {
				names []string
				word  string
			}{{requests, "request"}, {limits, "limit"}} {
				if len(set.names) > 0 {
					notes = append(notes, fmt.Sprintf("%s %s for %s %s", strings.Join(set.names, ", "), set.word, list.word, rules.Text(c, "name")))
				}
			}
		}
	}
	if len(notes) > 0 {
		if pod.Meta.Annotations == nil {
			pod.Meta.Annotations = map[string]string{}
		}
		pod.Meta.Annotations[annotation] = "LimitRanger plugin set: " + strings.Join(notes, "; ")
	}
}

// fill sets what a container lacks, and returns the names of it.
func fill(container rules.Tree, what string, defaults rules.Tree) (names []string) {
	for _, name := range rules.Keys(defaults) {
		if rules.Get(container, "resources", what, name) == nil {
			rules.Make(container, "resources", what)[name] = defaults[name]
			names = append(names, name)
		}
	}
	return names
}
