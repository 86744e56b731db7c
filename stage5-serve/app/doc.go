// Package app puts the whole server together: three servers in a chain, of
// which the outermost serves over TLS, and who may do what on it.
//
// Article: A3.1, A4.1, A4.2, A4.7
// Upstream: cmd/kube-apiserver/app/server.go Run
// Now: cmd/kube-apiserver/app/server.go CreateServerChain
// Reading: core
package app
