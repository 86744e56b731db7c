// Package bootstrap makes what every cluster has from the first second on: the
// system namespaces, and the service through which pods reach this server. What
// it is not allowed to make it tries again every second.
//
// Article: A3.10
// Upstream: pkg/master/controller.go Controller
// Now: pkg/controlplane/controller/kubernetesservice/controller.go Controller
// Simplified: one server, so its own address is the only endpoint.
// Reading: reference
package bootstrap
