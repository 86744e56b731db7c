// Package admission keeps the registry of admission plugins and makes the
// chain that --admission-control names. What a plugin sees of a request is
// defined where there are requests, in stage 3.
//
// Article: A3.4
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/plugins.go Plugins
// Now: staging/src/k8s.io/apiserver/pkg/admission/plugins.go Plugins
// Differs: an unknown name is answered with the names that are known.
// Reading: core
package admission
