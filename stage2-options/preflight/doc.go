// Package preflight looks whether the store can be there at all, before
// anything is built on it. Nothing is read, written or kept open: what the
// article calls the process that syncs to etcd does not exist.
//
// Article: A3.7
// Upstream: cmd/kube-apiserver/app/preflight/checks.go EtcdConnection
// Now: none
// Differs: a server that is told to stop does not wait any longer for its store.
// Reading: reference
package preflight
