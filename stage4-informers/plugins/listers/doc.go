// Package listers is how a plugin reads objects: from a shared informer, and
// only after that has its first list, or from the API itself.
//
// Article: A3.12
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/handler.go WaitForReady
// Now: staging/src/k8s.io/apiserver/pkg/admission/handler.go WaitForReady
// Reading: reference
package listers
