// Package cache keeps a local copy of one collection of the API up to date and
// tells handlers what changes in it: list once, then watch.
//
// The way of a change is
//
//	ListerWatcher → Reflector → DeltaFIFO → HandleDeltas → Indexer
//	                                                     → processorListener → handler (one queue each)
//
// It is all client-side: a SharedInformer is a program's own cache of what the
// API server answers. The only requests that it makes are LIST and WATCH; it
// never writes, neither to the API nor to the store behind it.
//
// Article: A3.13, A3.14, A3.15, A3.16
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedInformer
// Now: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedInformer
// Differs: the article says that a SharedInformer collects the requests of clients; it holds objects, and no request from outside passes through it.
// Differs: the article says that it writes its cache to etcd from time to time; a resync only shows handlers the cached objects once more.
// Differs: all that is cached is *object.Encoded, so stores and the queue say so in their types; upstream's take interface{}.
// Differs: Run returns when all its goroutines have ended, as today; in 1.7 those of the handlers may outlive it.
// Simplified: the key of an object is always namespace/name; upstream takes a key function.
// Reading: core
package cache
