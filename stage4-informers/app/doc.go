// Package app adds to stage 3 what makes a server alive: watch and its cache,
// shared informers on the server's own API, the hook that starts them, and the
// small controllers without which users would be stuck.
//
// Article: A3.3, A3.12, A4.6
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServer
// Now: cmd/kube-apiserver/app/server.go CreateServerChain
// Reading: core
package app
