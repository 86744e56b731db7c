// Package storage keeps objects in a key-value store: it knows about encoding,
// revisions and retries, and nothing of kinds, users or HTTP.
//
// Article: A3.7, A3.11
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/interfaces.go Interface
// Now: staging/src/k8s.io/apiserver/pkg/storage/interfaces.go Interface
// Differs: watches are pulled by their reader, so a slow one cannot hold up a writer.
// Reading: core
package storage
