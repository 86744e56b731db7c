// Package master holds the configuration from which the API server is made: no
// longer what the user wrote, but what came of it.
//
// Article: A3.8, A3.9
// Upstream: pkg/master/master.go Config
// Now: pkg/controlplane/instance.go Config
// Simplified: only the fields that a later stage reads.
// Reading: core
package master
