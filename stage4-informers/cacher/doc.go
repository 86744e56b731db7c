// Package cacher is the cache on the server's side: one reader per resource
// follows the store, and all watchers of that resource follow the reader.
//
// It is not the SharedInformer of the article, which is a client: see package cache.
//
// Article: A3.13
// Upstream: staging/src/k8s.io/apiserver/pkg/storage/cacher.go Cacher
// Now: staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go Cacher
// Differs: watchers pull from a shared log at their own pace, so neither a writer nor another watcher waits for a slow one; upstream pushes into a channel per watcher and ends the slow ones.
// Differs: who has fallen behind the log reads on from the store's history, as long as that reaches back.
// Reading: core
package cacher
