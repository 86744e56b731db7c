// Package field says what is wrong with a field of an object, in the words in
// which API clients expect to hear it.
//
// Article: A3.11
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/validation/field/errors.go Error
// Now: staging/src/k8s.io/apimachinery/pkg/util/validation/field/errors.go Error
// Simplified: paths are strings.
// Reading: reference
package field
