// Package master makes the API server of a configuration: its heart is the map
// from paths to storages in storage_core.go.
//
// Article: A3.9, A3.10
// Upstream: pkg/master/master.go New
// Now: pkg/controlplane/instance.go New
// Differs: upstream ends the process where installing fails; here New returns the error.
// Reading: core
package master
