package object

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// Meta is the metadata of an object, field by field in the order in which it
// is encoded. Times are RFC 3339 in UTC with seconds; "" is no time.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go ObjectMeta
type Meta struct {
	Name                       string            `json:"name,omitempty"`
	GenerateName               string            `json:"generateName,omitempty"`
	Namespace                  string            `json:"namespace,omitempty"`
	SelfLink                   string            `json:"selfLink,omitempty"`
	UID                        string            `json:"uid,omitempty"`
	ResourceVersion            string            `json:"resourceVersion,omitempty"`
	Generation                 int64             `json:"generation,omitempty"`
	CreationTimestamp          string            `json:"creationTimestamp,omitempty"`
	DeletionTimestamp          string            `json:"deletionTimestamp,omitempty"`
	DeletionGracePeriodSeconds *int64            `json:"deletionGracePeriodSeconds,omitempty"`
	Labels                     map[string]string `json:"labels,omitempty"`
	Annotations                map[string]string `json:"annotations,omitempty"`
	OwnerReferences            []OwnerReference  `json:"ownerReferences,omitempty"`
	Finalizers                 []string          `json:"finalizers,omitempty"`
	ManagedFields              []any             `json:"managedFields,omitempty"`
}

// OwnerReference names the object that this one belongs to.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go OwnerReference
type OwnerReference struct {
	APIVersion         string `json:"apiVersion"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
	UID                string `json:"uid"`
	Controller         *bool  `json:"controller,omitempty"`
	BlockOwnerDeletion *bool  `json:"blockOwnerDeletion,omitempty"`
}

// Now returns the present time in the form that Meta keeps.
func Now() string { return After(time.Now(), 0) }

// After is a time some seconds after t in that form.
func After(t time.Time, seconds int64) string {
	return t.Add(time.Duration(seconds) * time.Second).UTC().Format(time.RFC3339)
}

func (m Meta) deepCopy() Meta {
	if s := m.DeletionGracePeriodSeconds; s != nil {
		m.DeletionGracePeriodSeconds = new(*s)
	}
	m.Labels, m.Annotations = maps.Clone(m.Labels), maps.Clone(m.Annotations)
	m.OwnerReferences = slices.Clone(m.OwnerReferences) // its pointers are never written through
	m.Finalizers = slices.Clone(m.Finalizers)
	if m.ManagedFields != nil {
		m.ManagedFields = CopyTree(m.ManagedFields).([]any)
	}
	return m
}

// tree returns the metadata as a parsed JSON object.
func (m Meta) tree() map[string]any {
	data, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("object: metadata cannot be encoded: %v", err)) // as in writeJSON
	}
	tree, _, err := Parse(data)
	if err != nil {
		panic(fmt.Sprintf("object: metadata cannot be read back: %v", err))
	}
	return tree
}

// metaFromTree takes what it knows; unknown fields are dropped here, after the
// schema has had its chance to complain about them.
func metaFromTree(tree map[string]any) (Meta, error) {
	r := metaReader{tree: tree}
	m := Meta{
		Name:                       r.text("name"),
		GenerateName:               r.text("generateName"),
		Namespace:                  r.text("namespace"),
		SelfLink:                   r.text("selfLink"),
		UID:                        r.text("uid"),
		ResourceVersion:            r.text("resourceVersion"),
		Generation:                 value(r.integer("generation")),
		CreationTimestamp:          r.text("creationTimestamp"),
		DeletionTimestamp:          r.text("deletionTimestamp"),
		DeletionGracePeriodSeconds: r.integer("deletionGracePeriodSeconds"),
		Labels:                     r.texts("labels"),
		Annotations:                r.texts("annotations"),
		OwnerReferences:            r.owners("ownerReferences"),
		Finalizers:                 r.list("finalizers"),
		ManagedFields:              read[[]any](&r, tree["managedFields"], "managedFields"),
	}
	return m, r.err
}

// metaReader keeps the first error.
type metaReader struct {
	tree map[string]any
	err  error
}

func read[T any](r *metaReader, v any, path string) T {
	t, err := typed[T](v, "metadata."+path)
	if err != nil && r.err == nil {
		r.err = err
	}
	return t
}

func (r *metaReader) text(name string) string { return read[string](r, r.tree[name], name) }

func (r *metaReader) integer(name string) *int64 {
	switch v := r.tree[name].(type) {
	case nil:
		return nil
	case int64:
		return &v
	default:
		n, err := strconv.ParseInt(string(read[json.Number](r, v, name)), 10, 64)
		if err != nil && r.err == nil {
			r.err = fmt.Errorf("metadata.%s: expected integer, got %v", name, v)
		}
		return &n
	}
}

func (r *metaReader) texts(name string) map[string]string {
	tree := read[map[string]any](r, r.tree[name], name)
	if tree == nil {
		return nil
	}
	texts := make(map[string]string, len(tree))
	for key, v := range tree {
		texts[key] = read[string](r, v, name+"."+key)
	}
	return texts
}

func (r *metaReader) list(name string) (texts []string) {
	for i, v := range read[[]any](r, r.tree[name], name) {
		texts = append(texts, read[string](r, v, fmt.Sprintf("%s[%d]", name, i)))
	}
	return texts
}

func (r *metaReader) owners(name string) (refs []OwnerReference) {
	for i, v := range read[[]any](r, r.tree[name], name) {
		o := metaReader{tree: read[map[string]any](r, v, fmt.Sprintf("%s[%d]", name, i)), err: r.err}
		refs = append(refs, OwnerReference{
			APIVersion: o.text("apiVersion"), Kind: o.text("kind"), Name: o.text("name"), UID: o.text("uid"),
			Controller: o.boolean("controller"), BlockOwnerDeletion: o.boolean("blockOwnerDeletion"),
		})
		r.err = o.err
	}
	return refs
}

func (r *metaReader) boolean(name string) *bool {
	v, there := r.tree[name]
	if !there || v == nil {
		return nil
	}
	return new(read[bool](r, v, name))
}

func value(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}
