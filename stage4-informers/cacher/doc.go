// Package cacher is the cache on the server's side: the objects of one
// resource in memory, and its latest changes. Gets, lists and watches are
// answered from there; only writes, and what is older, go to the store.
//
// It is not the SharedInformer of the article, which is a client: see package
// cache. This one is never behind: a commit hands its changes to the Cacher before
// it is acknowledged. Where the engine cannot do that, a reader first asks it
// for its newest revision and waits until the Cacher has come so far.
//
// Read cacher.go for how it is filled, read.go and watch.go for who reads, log.go
// for what is remembered.
//
// Article: A3.13
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/cacher.go Cacher
// Now: staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go Cacher
// Differs: in 1.7 a list comes from the cache only where the client accepts an old one (resourceVersion=0); here, as today, every read does, and is fresh.
// Differs: watchers pull from a shared log at their own pace, so neither a writer nor another watcher waits for a slow one; upstream pushes into a channel per watcher and ends the slow ones.
// Differs: who has fallen behind the log reads on from the store's history, and is told 410 only where that does not reach back either.
// Reading: core
package cacher
