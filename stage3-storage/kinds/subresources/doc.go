// Package subresources has the paths of the core group that do something else
// than keep objects: they bind and evict pods, scale, and lead connections to
// nodes, pods and services.
//
// Where to look: binding.go and eviction.go write; log.go, stream.go and proxy.go
// are rest.Connecters, which find out where a connection leads to, and hand it
// to a Transport; node.go knows where the kubelet of a node listens.
//
// Article: A3.10, A3.11
// Upstream: pkg/registry/core/pod/storage/storage.go NewStorage
// Now: pkg/registry/core/pod/storage/storage.go NewStorage
// Simplified: a service is proxied to the addresses of its Endpoints, as in 1.7; today's server reads EndpointSlices.
// Reading: reference
package subresources
