package runtimeclass

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// Name is what --enable-admission-plugins calls the plugin.
const Name = "RuntimeClass"

var classes = catalog.Resource{Group: "node.k8s.io", Version: "v1", Name: "runtimeclasses", Kind: "RuntimeClass"}

// New makes the plugin. It works once it was given a client.
func New() optionsadmission.Interface { return &plugin{Handler: admission.Handler{rest.Create}} }

type plugin struct {
	admission.Handler
	listers.Live
}

// Admit gives a pod what its class says.
func (p *plugin) Admit(ctx context.Context, a *admission.Attributes) error {
	class, err := p.classOf(ctx, a)
	if class == nil || err != nil {
		return err
	}
	spec := rules.Make(a.Object.Fields, "spec")
	if cost := overhead(class); cost != nil {
		if own := rules.Map(spec, "overhead"); own != nil && !rules.Same(own, cost) {
			return admission.Forbidden(a, mismatch)
		}
		spec["overhead"] = object.CopyTree(cost)
	}
	scheduling := rules.Map(class.Fields, "scheduling")
	wanted, own := rules.Map(scheduling, "nodeSelector"), rules.Map(spec, "nodeSelector")
	for _, key := range rules.Keys(wanted) {
		if value, given := own[key]; given && value != wanted[key] {
			return admission.Forbidden(a, fmt.Sprintf("conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; pod.spec.nodeSelector[%s] = %s", key, wanted[key], key, value))
		}
		rules.Make(spec, "nodeSelector")[key] = wanted[key]
	}
	for _, t := range rules.List(scheduling, "tolerations") {
		list := rules.List(spec, "tolerations")
		if !slices.ContainsFunc(list, func(v any) bool { return rules.Same(v, t) }) {
			spec["tolerations"] = append(list, object.CopyTree(t))
		}
	}
	return nil
}

const (
	mismatch  = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
	unfounded = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"
)

// Validate compares the cost once more: only a class may say what it is.
func (p *plugin) Validate(ctx context.Context, a *admission.Attributes) error {
	class, err := p.classOf(ctx, a)
	if err != nil || !a.Of("pods") {
		return err
	}
	cost, own := overhead(class), rules.Map(a.Object.Fields, "spec", "overhead")
	switch {
	case cost != nil && !rules.Same(own, cost):
		return admission.Forbidden(a, mismatch)
	case cost == nil && len(own) > 0:
		return admission.Forbidden(a, unfounded)
	}
	return nil
}

// overhead is what a class costs; nil where there is no class, or it says nothing.
func overhead(class *object.Object) rules.Tree {
	if class == nil {
		return nil
	}
	return rules.Map(class.Fields, "overhead", "podFixed")
}

// classOf is the class that a pod names; nil where it names none.
func (p *plugin) classOf(ctx context.Context, a *admission.Attributes) (*object.Object, error) {
	if !a.Of("pods") {
		return nil, nil
	}
	name := rules.Text(a.Object.Fields, "spec", "runtimeClassName")
	if name == "" {
		return nil, nil
	}
	item, err := p.Client.Get(ctx, classes, "", name)
	if s, ok := errors.AsType[*status.Status](err); ok && s.Code == http.StatusNotFound { // or the server has no classes at all
		return nil, admission.Forbidden(a, fmt.Sprintf("pod rejected: RuntimeClass %q not found", name))
	}
	if err != nil {
		return nil, err
	}
	return item.Object()
}
