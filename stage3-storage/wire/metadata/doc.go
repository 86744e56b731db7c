// Package metadata has the rules for what all kinds have in common: who an
// object is, what only the server decides about it, what keeps it when it is
// deleted, and what names, labels, annotations, owners and finalizers may be.
//
// Article: A3.11
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go ValidateObjectMeta
// Now: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go ValidateObjectMeta
// Simplified: managed fields are not checked.
// Reading: reference
package metadata
