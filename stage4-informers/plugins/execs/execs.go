package execs

import (
	"context"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// What --admission-control calls the plugins.
const (
	NameEscalating = "DenyEscalatingExec"
	NamePrivileged = "DenyExecOnPrivileged"
)

var pods = catalog.Resource{Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true}

// denyExec keeps everybody out of pods that reach for their node.
//
// Upstream: plugin/pkg/admission/exec/admission.go denyExec
type denyExec struct {
	admission.Handler
	listers.Live
	namespaces bool // also of pods that share those of the node
}

// NewEscalating makes the plugin DenyEscalatingExec.
//
// Upstream: plugin/pkg/admission/exec/admission.go NewDenyEscalatingExec
func NewEscalating() optionsadmission.Interface {
	return &denyExec{Handler: admission.Handler{rest.Connect}, namespaces: true}
}

// NewPrivileged makes the plugin DenyExecOnPrivileged.
//
// Upstream: plugin/pkg/admission/exec/admission.go NewDenyExecOnPrivileged
func NewPrivileged() optionsadmission.Interface {
	return &denyExec{Handler: admission.Handler{rest.Connect}}
}

// Validate looks at the pod that the connection would lead to.
func (p *denyExec) Validate(ctx context.Context, a *admission.Attributes) error {
	if a.Resource.GroupResource() != "pods" || a.Subresource != "exec" && a.Subresource != "attach" {
		return nil
	}
	item, err := p.Client.Get(ctx, pods, a.Key.Namespace, a.Key.Name)
	if err != nil {
		return err
	}
	pod, err := item.Object()
	if err != nil {
		return err
	}
	spec := rules.Map(pod.Fields, "spec")
	switch {
	case p.namespaces && rules.Bool(spec, "hostPID"):
		return admission.Forbidden(a, "cannot exec into or attach to a container using host pid")
	case p.namespaces && rules.Bool(spec, "hostIPC"):
		return admission.Forbidden(a, "cannot exec into or attach to a container using host ipc")
	case privileged(spec):
		return admission.Forbidden(a, "cannot exec into or attach to a privileged container")
	}
	return nil
}

func privileged(spec rules.Tree) bool {
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for _, c := range rules.Items(spec, list) {
			if rules.Bool(c, "securityContext", "privileged") {
				return true
			}
		}
	}
	return false
}
