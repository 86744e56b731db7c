// Package informers makes SharedInformers: one for each resource that somebody
// asks for, shared by all who ask, and started together.
//
// Article: A3.12, A3.13
// Upstream: pkg/client/informers/informers_generated/internalversion/factory.go SharedInformerFactory
// Now: staging/src/k8s.io/client-go/informers/factory.go SharedInformerFactory
// Differs: the article says that Start starts all SharedInformers; it starts those of this factory that were asked for and do not run yet, and upstream has five factories.
// Differs: a resource is a row of the catalog, not a Go type, so the factory needs no generated code.
// Reading: core
package informers
