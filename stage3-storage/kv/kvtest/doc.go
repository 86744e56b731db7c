// Package kvtest is the contract of package kv as tests: each has a promise as
// its name. An engine that passes them can stand below everything else.
//
// Article: A3.7
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/etcd3/store_test.go TestCreate
// Now: staging/src/k8s.io/apiserver/pkg/storage/testing/store_tests.go RunTestCreate
// Differs: upstream tests objects on etcd; here keys and bytes on any engine.
// Reading: reference
package kvtest
