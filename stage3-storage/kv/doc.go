// Package kv is the contract of a storage engine: keys, values and one
// revision that rises with every write.
//
// Everything above it (objects, lists that are one snapshot, watches that lose
// nothing) rests on these few promises, so an engine proves them with the
// tests of package kvtest.
//
// Article: A3.7
// Upstream: vendor/github.com/coreos/etcd/clientv3/kv.go KV
// Now: staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go store
// Differs: upstream has the etcd client here; a contract of its own lets an embedded file take etcd's place.
// Reading: core
package kv
