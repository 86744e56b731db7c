package noderestriction

import (
	"context"
	"fmt"
	"slices"
	"strings"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// Name is what --admission-control calls the plugin.
const Name = "NodeRestriction"

var (
	podResource  = catalog.Resource{Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true}
	nodeResource = catalog.Resource{Version: "v1", Name: "nodes", Kind: "Node"}
)

// New makes the plugin. It works once it was given a client.
func New() optionsadmission.Interface {
	return &plugin{Handler: admission.Handler{rest.Create, rest.Update, rest.Delete}}
}

type plugin struct {
	admission.Handler
	listers.Live
}

// identity is the node that a user is. Its name is in the user's name, and the
// group says that whoever signed the certificate meant it so.
//
// Upstream: pkg/auth/nodeidentifier/default.go NodeIdentity
func identity(u request.User) (node string, isNode bool) {
	node, isNode = strings.CutPrefix(u.Name, "system:node:")
	return node, isNode && slices.Contains(u.Groups, "system:nodes")
}

// write is what one node wants to do.
type write struct {
	*admission.Attributes
	*plugin
	node string
}

// refuse answers in a sentence that begins with the node.
func (w write) refuse(format string, args ...any) error {
	return admission.Forbidden(w.Attributes, fmt.Sprintf("node %q "+format, append([]any{w.node}, args...)...))
}

func (w write) unexpected() error {
	return admission.Forbidden(w.Attributes, fmt.Sprintf("unexpected operation %q", w.Operation))
}

// Validate lets everybody pass who is no node.
func (p *plugin) Validate(ctx context.Context, a *admission.Attributes) error {
	node, isNode := identity(a.User)
	w := write{a, p, node}
	switch {
	case !isNode:
		return nil
	case node == "":
		return admission.Forbidden(a, fmt.Sprintf("could not determine node from user %q", a.User.Name))
	}
	switch a.Resource.GroupResource() {
	case "pods":
		return w.pods(ctx)
	case "nodes":
		return w.nodes()
	case "persistentvolumeclaims":
		return w.claims()
	case "serviceaccounts":
		return w.token(ctx)
	case "leases.coordination.k8s.io":
		return w.leases()
	case "csinodes.storage.k8s.io":
		return w.own("CSINode")
	}
	return nil
}

// nodes: a node changes itself only, and neither what it is reserved for nor
// labels by which others let pods come to it.
//
// Upstream: plugin/pkg/admission/noderestriction/admission.go admitNode
func (w write) nodes() error {
	if w.Key.Name != w.node {
		return w.refuse("is not allowed to modify node %q", w.Key.Name)
	}
	if w.Object == nil {
		return nil
	}
	source := rules.Get(w.Object.Fields, "spec", "configSource")
	if w.Old == nil {
		if source != nil {
			return w.refuse("is not allowed to create pods with a non-nil configSource")
		}
		if labels := reserved(w.Object.Meta.Labels, nil); len(labels) > 0 {
			return w.refuse("is not allowed to set the following labels: %s", strings.Join(labels, ", "))
		}
		return nil
	}
	switch labels := reserved(w.Object.Meta.Labels, w.Old.Meta.Labels); {
	case source != nil && !rules.Same(source, rules.Get(w.Old.Fields, "spec", "configSource")):
		return w.refuse("is not allowed to update configSource to a new non-nil configSource")
	case !rules.Same(rules.Get(w.Object.Fields, "spec", "taints"), rules.Get(w.Old.Fields, "spec", "taints")):
		return w.refuse("is not allowed to modify taints")
	case len(labels) > 0:
		return admission.Forbidden(w.Attributes, "is not allowed to modify labels: "+strings.Join(labels, ", "))
	case !sameOwners(w.Object, w.Old):
		return w.refuse("is not allowed to modify ownerReferences")
	}
	return nil
}

func sameOwners(a, b *object.Object) bool {
	return slices.EqualFunc(a.Meta.OwnerReferences, b.Meta.OwnerReferences, func(x, y object.OwnerReference) bool {
		return x.APIVersion == y.APIVersion && x.Kind == y.Kind && x.Name == y.Name && x.UID == y.UID && sameBool(x.Controller, y.Controller) && sameBool(x.BlockOwnerDeletion, y.BlockOwnerDeletion)
	})
}

func sameBool(a, b *bool) bool { return a == b || a != nil && b != nil && *a == *b }

// ownLabels are those of Kubernetes that kubelets set, besides their own prefixes.
var ownLabels = []string{
	"kubernetes.io/hostname", "kubernetes.io/os", "kubernetes.io/arch", "beta.kubernetes.io/os", "beta.kubernetes.io/arch",
	"topology.kubernetes.io/zone", "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region",
	"node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type",
}

// reserved are the labels that differ and that no node may set.
//
// Now: plugin/pkg/admission/noderestriction/admission.go getForbiddenLabels
func reserved(now, before map[string]string) (names []string) {
	check := func(name string) {
		domain, _, _ := strings.Cut(name, "/")
		in := func(d string) bool { return domain == d || strings.HasSuffix(domain, "."+d) }
		kubelets := slices.Contains(ownLabels, name) || in("kubelet.kubernetes.io") || in("node.kubernetes.io")
		if strings.Contains(name, "/") && (in("node-restriction.kubernetes.io") || (in("kubernetes.io") || in("k8s.io")) && !kubelets) {
			names = append(names, name)
		}
	}
	for name, value := range now {
		if was, there := before[name]; !there || was != value {
			check(name)
		}
	}
	for name := range before {
		if _, there := now[name]; !there {
			check(name)
		}
	}
	slices.Sort(names)
	return names
}
