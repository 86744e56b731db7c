// Package connect serves the paths whose answer is no object (exec, logs,
// proxies): whatever method comes, the storage takes over the connection.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go ConnectResource
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go ConnectResource
// Reading: reference
package connect
