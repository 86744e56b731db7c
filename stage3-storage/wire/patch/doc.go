// Package patch makes a wanted object of a live one and a patch, in the three
// forms that clients send. The live object is never changed.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go patchResource
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go patcher
// Reading: reference
package patch
