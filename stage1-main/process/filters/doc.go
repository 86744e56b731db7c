// Package filters has what every request goes through, whatever the server is
// for, and the way to put more behind it.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/server/filters/wrap.go WithPanicRecovery
// Now: staging/src/k8s.io/apiserver/pkg/server/filters/wrap.go WithPanicRecovery
// Reading: reference
package filters
