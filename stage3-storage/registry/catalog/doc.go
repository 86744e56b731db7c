// Package catalog has the row of a resource: how a kind of objects is called
// and where it lives. Everything that is made per resource (routes, discovery,
// caches, informers, controllers) is made from such a row.
//
// Article: A3.10
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/scheme.go Scheme
// Now: staging/src/k8s.io/apimachinery/pkg/runtime/scheme.go Scheme
// Differs: upstream knows its kinds as Go types in a Scheme and its resources as routes; here both are one row, and a custom kind is a row as well.
// Reading: core
package catalog
