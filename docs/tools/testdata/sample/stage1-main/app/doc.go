// Package app is the server: one store behind HTTP.
//
// Article: A3.1
// Upstream: cmd/server.go Run
// Now: none
// Differs: upstream has more in it.
// Reading: core
package app
