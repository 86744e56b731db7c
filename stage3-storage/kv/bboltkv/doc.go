// Package bboltkv is the embedded engine: a kv.Store in one bbolt file.
//
// The file has a log (revision → what was written), an index (key, revision →
// nothing but the order) and a bucket for expiry times. One goroutine commits:
// it takes all writes that wait, puts them into one transaction with one
// fsync, answers them all, and begins again, so the slower the disk is, the more
// writes share a commit.
//
// Article: A3.7
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go store
// Now: staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go store
// Differs: upstream talks to etcd over the network; here the engine is in the process and the file is locked by it.
// Simplified: one writer process; no replication.
// Reading: core
package bboltkv
