// Package server is stage 1's server with an API: it installs groups of
// storages and says what it has.
//
// Article: A3.10
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go InstallLegacyAPIGroup
// Now: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go InstallLegacyAPIGroup
// Reading: core
package server
