// Package options is the object of defaults that main makes first, and that the
// flags fill through pointers to its fields.
//
// Article: A2.2, A2.3
// Upstream: cmd/kube-apiserver/app/options/options.go NewServerRunOptions
// Now: cmd/kube-apiserver/app/options/options.go NewServerRunOptions
// Simplified: only where to listen; stage 2 brings the other groups.
// Reading: core
package options
