// Package app makes a server with storage: the calls of the article in its
// order, and the tables from which the other packages are made.
//
// Article: A3.1, A3.3, A3.7, A3.9
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServer
// Now: cmd/kube-apiserver/app/server.go CreateServerChain
// Reading: core
package app
