// Package bboltkv is the embedded engine: a kv.Store in one bbolt file.
//
// The file has a log (revision → what was written), an index (key and revision
// → only whether it was a deletion) and a bucket of expiry times. One goroutine
// commits: it takes all that waits, does it in one transaction with one fsync,
// answers everybody, and begins again, so the slower the disk is, the more
// writes share a commit.
//
// Read record.go and file.go for what is on disk, commit.go for a write, read.go
// and watch.go for the readers, history.go for what is forgotten.
//
// Article: A3.7
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go store
// Now: staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go store
// Differs: upstream talks to etcd over the network; here the engine is in the process, and the process has the file for itself.
// Simplified: no replication, and no checksum over a value: a damaged page is noticed, a flipped bit in a value is not.
// Reading: reference
package bboltkv
