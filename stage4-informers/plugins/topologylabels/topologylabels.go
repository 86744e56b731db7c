package topologylabels

import (
	"context"
	"errors"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// Name is what --enable-admission-plugins calls the plugin.
const Name = "PodTopologyLabels"

// copied are the labels of a node that its pods get.
var copied = []string{"topology.kubernetes.io/zone", "topology.kubernetes.io/region"}

// New makes the plugin. It works once it was given informers.
func New() optionsadmission.Interface { return &plugin{Handler: admission.Handler{rest.Create}} }

type plugin struct {
	admission.Handler
	nodes *listers.Lister
}

// SetInformers asks for an informer of nodes.
func (p *plugin) SetInformers(f *informers.SharedInformerFactory) {
	p.nodes = listers.New(f, "nodes", "Node", false)
}

// ValidateInitialization says whether everything needed was given.
func (p *plugin) ValidateInitialization() error {
	if p.nodes == nil {
		return errors.New("missing informers")
	}
	return nil
}

// Admit labels a binding, whose labels go to the pod, or a pod that is created
// on a node. What has such labels already keeps them.
func (p *plugin) Admit(ctx context.Context, a *admission.Attributes) error {
	name := nodeOf(a)
	if name == "" {
		return nil
	}
	if err := p.nodes.Wait(ctx, a); err != nil {
		return err
	}
	node, err := p.nodes.Get("", name)
	if node == nil || err != nil {
		return err
	}
	meta := &a.Object.Meta
	for _, label := range copied {
		value, has := node.Meta.Labels[label]
		if _, taken := meta.Labels[label]; !has || taken {
			continue
		}
		if meta.Labels == nil {
			meta.Labels = map[string]string{}
		}
		meta.Labels[label] = value
	}
	return nil
}

// nodeOf is the node that a pod is given to by this write; "" where it is none.
func nodeOf(a *admission.Attributes) string {
	switch {
	case a.Of("pods"):
		return rules.Text(a.Object.Fields, "spec", "nodeName")
	case a.Resource.GroupResource() == "pods" && a.Subresource == "binding" && rules.Text(a.Object.Fields, "target", "kind") == "Node":
		return rules.Text(a.Object.Fields, "target", "name")
	}
	return ""
}
