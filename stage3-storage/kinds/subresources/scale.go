package subresources

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
)

// ScaleREST shows the number of replicas of an object as an object of its own,
// of kind Scale, so that a client can scale what it does not understand.
//
// Upstream: pkg/registry/core/replicationcontroller/storage/storage.go ScaleREST
type ScaleREST struct{ store *registry.Store }

// NewScale makes the path /scale of a kind.
func NewScale(of *registry.Store) rest.Storage {
	inner := *of
	inner.Admission = admission.Chain{asScale{of.Admission}}
	return ScaleREST{&inner}
}

// asScale is the plugins' view of a write to this path: they are asked about
// the Scale, not about the object whose replicas it writes.
//
// Now: pkg/registry/core/replicationcontroller/storage/storage.go toScaleUpdateValidation
type asScale struct{ plugins admission.Chain }

// Handles is part of a plugin's interface.
func (asScale) Handles(string) bool { return true }

// Admit is part of admission.MutationInterface.
func (s asScale) Admit(ctx context.Context, a *admission.Attributes) error {
	shown := scaled(a)
	if err := s.plugins.Admit(ctx, shown); err != nil {
		return err
	}
	rules.Make(a.Object.Fields, "spec")["replicas"] = rules.Number(rules.Int(shown.Object.Fields, "spec", "replicas"))
	return nil
}

// Validate is part of admission.ValidationInterface.
func (s asScale) Validate(ctx context.Context, a *admission.Attributes) error {
	return s.plugins.Validate(ctx, scaled(a))
}

func scaled(a *admission.Attributes) *admission.Attributes {
	b := *a
	b.Subresource, b.Kind, b.Object = "scale", "Scale", scaleFor(a.Object)
	if a.Old != nil {
		b.Old = scaleFor(a.Old)
	}
	return &b
}

// Kind is part of rest.Storage.
func (r ScaleREST) Kind() (apiVersion, kind string) { return "autoscaling/v1", "Scale" }

// Resource is part of rest.Storage.
func (r ScaleREST) Resource() catalog.Resource { return r.store.Resource() }

// Get is part of rest.Getter.
func (r ScaleREST) Get(ctx context.Context, key rest.Key, opts rest.GetOptions) (*object.Encoded, error) {
	obj, err := r.store.Get(ctx, key, opts)
	if err != nil {
		return nil, err
	}
	return scaleOf(obj)
}

// Schema is what is known of the structure of a Scale.
func (r ScaleREST) Schema() registry.Schema { return known(r.Kind()) }

// Update is part of rest.Updater: it writes spec.replicas of the real object.
func (r ScaleREST) Update(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, bool, error) {
	inner := w
	inner.Wanted = requests.Wanted(func(live *object.Encoded) (map[string]any, error) {
		scale, err := r.wanted(ctx, key, w, live)
		if err != nil {
			return nil, err
		}
		if live == nil {
			return nil, status.NotFound(r.Resource().Named(), key.Name)
		}
		return withReplicas(live, scale)
	})
	obj, _, err := r.store.Update(ctx, key, inner)
	if err != nil {
		return nil, false, err
	}
	scale, err := scaleOf(obj)
	return scale, false, err
}

// wanted is the Scale that the client wants, checked.
func (r ScaleREST) wanted(ctx context.Context, key rest.Key, w rest.Write, live *object.Encoded) (*object.Object, error) {
	var present *object.Encoded
	if live != nil {
		var err error
		if present, err = scaleOf(live); err != nil {
			return nil, err
		}
	}
	apiVersion, kind := r.Kind()
	scale, err := registry.Decode(ctx, w, present, r.Schema(), apiVersion, kind)
	if err != nil {
		return nil, err
	}
	switch name, namespace := scale.Meta.Name, scale.Meta.Namespace; {
	case name == "":
		return nil, status.BadRequest("the name of the object (%s based on URL) was undeterminable: name must be provided", key.Name)
	case name != key.Name:
		return nil, status.BadRequest("the name of the object (%s) does not match the name on the URL (%s)", name, key.Name)
	case namespace != "" && namespace != key.Namespace:
		return nil, status.BadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if n := rules.Int(scale.Fields, "spec", "replicas"); n < 0 {
		return nil, status.Invalid("autoscaling", "Scale", key.Name, field.Errors{field.Invalid("spec.replicas", n, "must be greater than or equal to 0")})
	}
	return scale, nil
}

// withReplicas is the live object with what the Scale wants of it.
func withReplicas(live *object.Encoded, scale *object.Object) (map[string]any, error) {
	tree, err := object.Parse(live.JSON())
	if err != nil {
		return nil, err
	}
	rules.Make(tree, "spec")["replicas"] = rules.Number(rules.Int(scale.Fields, "spec", "replicas"))
	if v := scale.Meta.ResourceVersion; v != "" {
		rules.Make(tree, "metadata")["resourceVersion"] = v
	}
	return tree, nil
}

// scaleOf makes the Scale of an object.
func scaleOf(e *object.Encoded) (*object.Encoded, error) {
	obj, err := e.Object()
	if err != nil {
		return nil, err
	}
	scale := scaleFor(obj)
	scale.Meta.ResourceVersion = "" // the revision says it
	return object.NewEncoded(scale.Encode(), e.Revision()), nil
}

func scaleFor(obj *object.Object) *object.Object {
	spec, _ := obj.Fields["spec"].(map[string]any)
	now, _ := obj.Fields["status"].(map[string]any)
	scale := &object.Object{APIVersion: "autoscaling/v1", Kind: "Scale", Meta: object.Meta{
		Name: obj.Meta.Name, Namespace: obj.Meta.Namespace, UID: obj.Meta.UID, CreationTimestamp: obj.Meta.CreationTimestamp, ResourceVersion: obj.Meta.ResourceVersion,
	}, Fields: map[string]any{"spec": map[string]any{}}}
	if n, ok := spec["replicas"].(json.Number); ok && n != "0" {
		scale.Fields["spec"] = map[string]any{"replicas": n}
	}
	state := map[string]any{"replicas": json.Number("0")}
	if n, ok := now["replicas"].(json.Number); ok {
		state["replicas"] = n
	}
	if sel, ok := spec["selector"].(map[string]any); ok {
		state["selector"] = selectorText(sel)
	}
	scale.Fields["status"] = state
	return scale
}

// selectorText writes a selector as people write it: a=1,b in (2,3),!c. Older
// kinds have a map of labels, newer ones expressions as well.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go FormatLabelSelector
func selectorText(selector rules.Tree) string {
	labels, rich := selector["matchLabels"].(rules.Tree)
	_, expressions := selector["matchExpressions"].([]any)
	if !rich && !expressions {
		labels = selector
	}
	terms := map[string]string{} // by key and text: a key may occur twice
	for k, v := range labels {
		terms[fmt.Sprint(k, "\x00", v)] = fmt.Sprintf("%s=%v", k, v)
	}
	for _, e := range rules.Items(selector, "matchExpressions") {
		key, values := rules.Text(e, "key"), rules.Texts(e, "values")
		slices.Sort(values)
		text := map[string]string{
			"In": key + " in (" + strings.Join(values, ",") + ")", "NotIn": key + " notin (" + strings.Join(values, ",") + ")",
			"Exists": key, "DoesNotExist": "!" + key,
		}[rules.Text(e, "operator")]
		terms[key+"\x00"+text] = text
	}
	var list []string
	for _, k := range slices.Sorted(maps.Keys(terms)) {
		list = append(list, terms[k])
	}
	return strings.Join(list, ",")
}
