// Package groups serves the named groups: each is a row of kinds and of other
// storages, and what the core group is made by makes them too.
//
// Article: A3.10
// Upstream: pkg/master/master.go InstallAPIs
// Now: pkg/controlplane/apiserver/apis.go InstallAPIs
// Simplified: four groups, each in one version: rbac.authorization.k8s.io, authentication.k8s.io, authorization.k8s.io, events.k8s.io.
// Reading: reference
package groups
