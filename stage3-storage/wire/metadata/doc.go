// Package metadata has the rules for what all kinds have in common: names,
// labels, annotations, owners, finalizers.
//
// Article: A3.11
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go ValidateObjectMeta
// Now: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go ValidateObjectMeta
// Simplified: managed fields are not checked.
// Reading: reference
package metadata
