package object

import (
	"maps"
	"slices"
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
