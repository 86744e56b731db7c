// Package verflag is --version. The article writes -version, which is read as
// -v with the value "ersion" and refused.
//
// Article: A1.1
// Upstream: pkg/version/verflag/verflag.go PrintAndExitIfRequested
// Now: staging/src/k8s.io/component-base/version/verflag/verflag.go PrintAndExitIfRequested
// Reading: reference
package verflag
