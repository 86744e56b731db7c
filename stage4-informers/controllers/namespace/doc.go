// Package namespace is the controller that empties a namespace that is being
// deleted and then lets it go.
//
// Article: A3.13
// Upstream: pkg/controller/namespace/namespace_controller.go NamespaceController
// Now: pkg/controller/namespace/deletion/namespaced_resources_deleter.go NamespacedResourcesDeleter
// Differs: upstream runs it in kube-controller-manager; a server alone would leave namespaces terminating for ever.
// Reading: reference
package namespace
