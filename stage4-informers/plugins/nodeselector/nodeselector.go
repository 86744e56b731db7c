package nodeselector

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// Name is what --admission-control calls the plugin.
const Name = "PodNodeSelector"

const (
	annotation = "scheduler.alpha.kubernetes.io/node-selector"
	everywhere = "clusterDefaultNodeSelector" // the key, in the configuration, of what holds without an annotation
)

// New makes the plugin of its configuration, which may be nil: selectors, by
// the namespaces whose pods may select nothing else. It works once it was given
// informers and a client.
func New(config []byte) (optionsadmission.Interface, error) {
	var f struct {
		Selectors map[string]string `json:"podNodeSelectorPluginConfig"`
	}
	if config != nil {
		d := json.NewDecoder(bytes.NewReader(config))
		d.DisallowUnknownFields()
		if err := d.Decode(&f); err != nil {
			return nil, err
		}
	}
	p := &plugin{Handler: admission.Handler{rest.Create}, selectors: map[string]map[string]string{}}
	for namespace, text := range f.Selectors {
		selector, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("selector of %s: %w", namespace, err)
		}
		p.selectors[namespace] = selector
	}
	return p, nil
}

type plugin struct {
	admission.Handler
	listers.Namespaces
	selectors map[string]map[string]string
}

// parse reads a=1,b=2.
func parse(text string) (map[string]string, error) {
	selector := map[string]string{}
	for term := range strings.SplitSeq(text, ",") {
		if term = strings.TrimSpace(term); term == "" {
			continue
		}
		key, value, ok := strings.Cut(term, "=")
		if !ok {
			return nil, fmt.Errorf("%q: want terms such as key=value with commas between", text)
		}
		selector[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	return selector, nil
}

// wanted is what all pods of a namespace have to select.
func (p *plugin) wanted(ctx context.Context, namespace string) (map[string]string, error) {
	ns, err := p.Find(ctx, namespace)
	if err != nil {
		return nil, err
	}
	if text, given := ns.Meta.Annotations[annotation]; given {
		return parse(text)
	}
	return p.selectors[everywhere], nil
}

// Admit adds to a pod what its namespace selects.
func (p *plugin) Admit(ctx context.Context, a *admission.Attributes) error {
	if !a.Of("pods") {
		return nil
	}
	wanted, err := p.conform(ctx, a)
	if err != nil {
		return err
	}
	for key, value := range wanted {
		rules.Make(a.Object.Fields, "spec", "nodeSelector")[key] = value
	}
	return nil
}

// Validate looks at what the pod selects in the end.
func (p *plugin) Validate(ctx context.Context, a *admission.Attributes) error {
	if !a.Of("pods") {
		return nil
	}
	if _, err := p.conform(ctx, a); err != nil {
		return err
	}
	allowed := p.selectors[a.Key.Namespace]
	for key, value := range rules.Strings(a.Object.Fields, "spec", "nodeSelector") {
		if v, ok := allowed[key]; len(allowed) > 0 && (!ok || v != value) {
			return admission.Forbidden(a, "pod node label selector labels conflict with its namespace whitelist")
		}
	}
	return nil
}

// conform refuses a pod that selects against its namespace.
func (p *plugin) conform(ctx context.Context, a *admission.Attributes) (wanted map[string]string, err error) {
	wanted, err = p.wanted(ctx, a.Key.Namespace)
	own := rules.Strings(a.Object.Fields, "spec", "nodeSelector")
	for key, value := range wanted {
		if v, given := own[key]; given && v != value {
			return nil, admission.Forbidden(a, "pod node label selector conflicts with its namespace node label selector")
		}
	}
	return wanted, err
}
