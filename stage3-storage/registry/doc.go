// Package registry is the generic REST storage: one Store serves one kind, and
// a Strategy says what is special about that kind. All writes of all kinds
// go through the same few lines, in write.go.
//
// Article: A3.11
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Store
// Now: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go Store
// Differs: a strategy is a struct of functions, of which most kinds leave most out; upstream has several interfaces that every kind implements.
// Reading: core
package registry
