// Package version says which program this is, in the form of /version.
//
// Article: A1.1
// Upstream: pkg/version/version.go Get
// Now: staging/src/k8s.io/component-base/version/version.go Get
// Reading: reference
package version
