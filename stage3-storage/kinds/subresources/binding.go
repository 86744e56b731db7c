package subresources

import (
	"context"
	"fmt"
	"maps"
	"net/http"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// BindingREST assigns pods to nodes. This is all that a scheduler writes.
//
// Upstream: pkg/registry/core/pod/storage/storage.go BindingREST
type BindingREST struct{ pods *registry.Store }

// Kind is part of rest.Storage.
func (r *BindingREST) Kind() (apiVersion, kind string) { return "v1", "Binding" }

// Resource is part of rest.Storage.
func (r *BindingREST) Resource() catalog.Resource { return r.pods.Resource() }

// Create is part of rest.Creater.
func (r *BindingREST) Create(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, error) {
	binding, err := receive(ctx, r, key, w)
	if err != nil {
		return nil, err
	}
	return r.bind(ctx, key, w, binding)
}

// bind checks a binding and carries it out.
func (r *BindingREST) bind(ctx context.Context, key rest.Key, w rest.Write, binding *object.Object) (*object.Encoded, error) {
	if key.Name != binding.Meta.Name {
		return nil, status.BadRequest("name in URL does not match name in Binding object")
	}
	if errs := checkTarget(binding); len(errs) > 0 {
		return nil, status.New(http.StatusInternalServerError, "", errs.Error(), nil) // as upstream, which takes it for its own mistake
	}
	if key.Name == "" {
		return nil, status.BadRequest("Name parameter required.")
	}
	if err := admit(ctx, r.pods, "binding", key, w, binding); err != nil {
		return nil, err
	}
	if _, err := r.pods.Change(ctx, key, w.DryRun, func(pod *object.Object) error { return assign(pod, binding) }); err != nil {
		return nil, err
	}
	return done()
}

// checkTarget returns what is wrong with the target of a binding.
//
// Upstream: pkg/api/validation/validation.go ValidatePodBinding
func checkTarget(binding *object.Object) (errs field.Errors) {
	if kind := rules.Text(binding.Fields, "target", "kind"); kind != "" && kind != "Node" {
		errs = append(errs, field.NotSupported("target.kind", kind, "Node", "<empty>"))
	}
	name := rules.Text(binding.Fields, "target", "name")
	if name == "" {
		return append(errs, field.Required("target.name", ""))
	}
	for _, why := range metadata.DNSSubdomain(name) {
		if len(errs) == 0 { // it is of a node
			errs = append(errs, field.Invalid("target.name", name, why))
		}
	}
	return errs
}

// assign puts a pod on its node, once and for all. What the scheduler wrote on
// the binding goes to the pod.
//
// Upstream: pkg/registry/core/pod/storage/storage.go setPodHostAndAnnotations
func assign(pod, binding *object.Object) error {
	if err := unmoved(pod, binding.Meta.UID, binding.Meta.ResourceVersion); err != nil {
		return err
	}
	refuse := func(why string) error {
		return status.Conflict(status.Resource{Name: "pods/binding"}, pod.Meta.Name, "pod "+pod.Meta.Name+why)
	}
	node := rules.Text(pod.Fields, "spec", "nodeName")
	switch {
	case pod.Meta.DeletionTimestamp != "":
		return refuse(" is being deleted, cannot be assigned to a host")
	case node != "":
		return refuse(fmt.Sprintf(" is already assigned to node %q", node))
	case len(rules.List(pod.Fields, "spec", "schedulingGates")) > 0:
		return refuse(" has non-empty .spec.schedulingGates")
	}
	rules.Make(pod.Fields, "spec")["nodeName"] = rules.Text(binding.Fields, "target", "name")
	pod.Meta.Annotations = merged(pod.Meta.Annotations, binding.Meta.Annotations)
	pod.Meta.Labels = merged(pod.Meta.Labels, binding.Meta.Labels) // they say where the node is, whatever the pod said before
	setPodCondition(pod, rules.Tree{"type": "PodScheduled", "status": "True"})
	return nil
}

// merged is a with b on top; nil where both are empty.
func merged(a, b map[string]string) map[string]string {
	if len(a)+len(b) == 0 {
		return nil
	}
	sum := maps.Clone(a)
	if sum == nil {
		sum = map[string]string{}
	}
	maps.Copy(sum, b)
	return sum
}

// unmoved checks that a pod is the one that the client has seen.
func unmoved(pod *object.Object, uid, resourceVersion string) error {
	conflict := func(what, asked, is string) error {
		return status.Conflict(status.Resource{Name: "pods"}, pod.Meta.Name, fmt.Sprintf("Precondition failed: %s in precondition: %s, %s in object meta: %s", what, asked, what, is))
	}
	if uid != "" && uid != pod.Meta.UID {
		return conflict("UID", uid, pod.Meta.UID)
	}
	if resourceVersion != "" && resourceVersion != pod.Meta.ResourceVersion {
		return conflict("ResourceVersion", resourceVersion, pod.Meta.ResourceVersion)
	}
	return nil
}

// setPodCondition writes a condition of a pod.
//
// Upstream: pkg/api/pod/util.go UpdatePodCondition
func setPodCondition(pod *object.Object, c rules.Tree) {
	c["lastProbeTime"] = nil
	setCondition(rules.Make(pod.Fields, "status"), c)
}

// setCondition writes a condition into a status, and since when it holds.
func setCondition(now rules.Tree, c rules.Tree) {
	list := rules.List(now, "conditions")
	c["lastTransitionTime"] = object.Now()
	for i, old := range rules.Items(now, "conditions") {
		if old["type"] != c["type"] {
			continue
		}
		if old["status"] == c["status"] {
			c["lastTransitionTime"] = old["lastTransitionTime"]
		}
		list[i] = c
		return
	}
	now["conditions"] = append(list, any(c))
}

// LegacyBindingREST takes the name of the pod from the binding instead of the path.
//
// Upstream: pkg/registry/core/pod/storage/storage.go BindingREST
// Now: pkg/registry/core/pod/storage/storage.go LegacyBindingREST
type LegacyBindingREST struct{ binding *BindingREST }

// Kind is part of rest.Storage.
func (r *LegacyBindingREST) Kind() (apiVersion, kind string) { return r.binding.Kind() }

// Resource is part of rest.Storage.
func (r *LegacyBindingREST) Resource() catalog.Resource {
	return catalog.Resource{Version: "v1", Name: "bindings", Singular: "binding", Kind: "Binding", Namespaced: true}
}

// Create is part of rest.Creater.
func (r *LegacyBindingREST) Create(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, error) {
	binding, err := receive(ctx, r, key, w)
	if err != nil {
		return nil, err
	}
	key.Name = binding.Meta.Name
	return r.binding.bind(ctx, key, w, binding)
}

// receive decodes the body of a POST to a subresource.
func receive(ctx context.Context, s rest.Storage, key rest.Key, w rest.Write) (*object.Object, error) {
	apiVersion, kind := s.Kind()
	obj, err := registry.Decode(ctx, w, nil, known(apiVersion, kind), apiVersion, kind)
	if err != nil {
		return nil, err
	}
	if obj.Meta.Namespace == "" {
		obj.Meta.Namespace = key.Namespace
	}
	if obj.Meta.Namespace != key.Namespace {
		return nil, status.BadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	return obj, nil
}

// admit asks the admission plugins about the body of a POST to a subresource.
func admit(ctx context.Context, of *registry.Store, subresource string, key rest.Key, w rest.Write, obj *object.Object) error {
	attrs := &admission.Attributes{
		Operation: rest.Create, Resource: of.Resource(), Subresource: subresource, Kind: obj.Kind, Key: key, Object: obj,
		User: request.UserFrom(ctx), DryRun: w.DryRun,
	}
	if err := of.Admission.Admit(ctx, attrs); err != nil {
		return err
	}
	return of.Admission.Validate(ctx, attrs)
}
