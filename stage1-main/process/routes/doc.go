// Package routes has the paths that every server has: its health, its version,
// how it started, and which paths there are.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/server/routes/index.go Index
// Now: staging/src/k8s.io/apiserver/pkg/server/routes/index.go Index
// Reading: reference
package routes
