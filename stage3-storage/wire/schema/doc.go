// Package schema describes the structure of a kind's objects, and brings
// objects into the one form in which they are stored and sent.
//
// A [Schema] is a tree that mirrors the tree of an object. Everything that has
// to know a kind's structure reads it: the pruning of unknown fields, their
// warnings, the check of types, patches that merge lists, OpenAPI documents.
//
// Article: none
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json/json.go Serializer
// Now: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json/json.go Serializer
// Differs: upstream decodes into a Go struct and encodes that again, and so drops what the struct has no place for; here the tree is walked once along its schema, with the same outcome.
// Differs: of several wrong values upstream names the first of the body, here the first in the order of the paths.
// Simplified: bytes must be base64 text; upstream also takes a list of numbers.
// Reading: reference
package schema
