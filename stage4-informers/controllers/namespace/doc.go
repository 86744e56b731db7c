// Package namespace is the controller that empties a namespace that is being
// deleted, says in its status what is still in the way, and lets it go.
//
// Article: A3.14
// Upstream: pkg/controller/namespace/namespace_controller.go NamespaceController
// Now: pkg/controller/namespace/deletion/namespaced_resources_deleter.go namespacedResourcesDeleter
// Differs: upstream runs it in kube-controller-manager; a server alone would leave namespaces terminating for ever.
// Simplified: upstream estimates how long the grace periods of pods will take; here the pause between two rounds only grows.
// Reading: reference
package namespace
