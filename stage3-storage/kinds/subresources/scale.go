package subresources

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// ScaleREST shows the number of replicas of an object as an object of its own,
// of kind Scale, so that a client can scale what it does not understand.
//
// Upstream: pkg/registry/core/replicationcontroller/storage/storage.go ScaleREST
type ScaleREST struct{ store *registry.Store }

// NewScale makes the path /scale of a kind.
func NewScale(of *registry.Store) rest.Storage { return ScaleREST{of} }

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

// Update is part of rest.Updater: it writes spec.replicas of the real object.
func (r ScaleREST) Update(ctx context.Context, key rest.Key, w rest.Write) (*object.Encoded, bool, error) {
	wanted := w.Tree
	w.Tree = func(live *object.Encoded) (map[string]any, error) {
		if live == nil {
			return nil, status.NotFound(status.Resource{Group: r.Resource().Group, Name: r.Resource().Name}, key.Name)
		}
		scale, err := scaleOf(live)
		if err != nil {
			return nil, err
		}
		tree, err := wanted(scale)
		if err != nil {
			return nil, err
		}
		return withReplicas(live, tree, key.Name)
	}
	obj, _, err := r.store.Update(ctx, key, w)
	if err != nil {
		return nil, false, err
	}
	scale, err := scaleOf(obj)
	return scale, false, err
}

// withReplicas is the live object with what the Scale wants of it.
func withReplicas(live *object.Encoded, scale map[string]any, name string) (map[string]any, error) {
	spec, _ := scale["spec"].(map[string]any)
	replicas, given := spec["replicas"].(json.Number)
	if !given {
		replicas = "0"
	}
	n, err := replicas.Int64()
	if err != nil || n < 0 {
		return nil, status.Invalid("autoscaling", "Scale", name, field.Errors{field.Invalid("spec.replicas", replicas, "must be greater than or equal to 0")})
	}
	tree, _, err := object.Parse(live.JSON())
	if err != nil {
		return nil, err
	}
	target, _ := tree["spec"].(map[string]any)
	if target == nil {
		target = map[string]any{}
		tree["spec"] = target
	}
	target["replicas"] = replicas
	if meta, _ := scale["metadata"].(map[string]any); meta != nil && meta["resourceVersion"] != nil {
		tree["metadata"].(map[string]any)["resourceVersion"] = meta["resourceVersion"]
	}
	return tree, nil
}

// scaleOf makes the Scale of an object.
func scaleOf(e *object.Encoded) (*object.Encoded, error) {
	obj, err := e.Object()
	if err != nil {
		return nil, err
	}
	spec, _ := obj.Fields["spec"].(map[string]any)
	now, _ := obj.Fields["status"].(map[string]any)
	scale := object.Object{APIVersion: "autoscaling/v1", Kind: "Scale", Meta: object.Meta{
		Name: obj.Meta.Name, Namespace: obj.Meta.Namespace, UID: obj.Meta.UID, CreationTimestamp: obj.Meta.CreationTimestamp,
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
	return object.NewEncoded(scale.Encode(), e.Revision()), nil
}

// selectorText writes a map of labels as a selector: a=1,b=2.
func selectorText(labels map[string]any) string {
	var terms []string
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		terms = append(terms, fmt.Sprintf("%s=%v", k, labels[k]))
	}
	return strings.Join(terms, ",")
}
