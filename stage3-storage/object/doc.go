// Package object holds API objects in the two forms that this server needs.
//
// An [Object] is a tree that somebody is working on: a write decodes it,
// defaults it, admits it, validates it. An [Encoded] is the finished thing:
// immutable bytes that are stored, cached and sent as they are. A write turns
// one Encoded into an Object and back; a plain read parses nothing.
//
// Article: A3.10, A3.11
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/interfaces.go Object
// Now: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructured.go Unstructured
// Differs: upstream has a Go struct for each kind and an internal version beside each served one; here a kind is a schema and its objects are trees, so that a kind added at run time is no special case.
// Simplified: one version of each kind; nothing is converted.
// Reading: core
package object
