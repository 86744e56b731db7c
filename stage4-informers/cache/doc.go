// Package cache keeps a local copy of one collection of the API up to date and
// tells handlers what changes in it. A change passes, from the top down:
//
//	listwatch.go        ListerWatcher    is where the objects come from
//	reflector.go        Reflector        lists once, then watches
//	delta_fifo.go       DeltaFIFO        gathers what happened to each object
//	shared_informer.go  HandleDeltas     puts it into the cache, then tells the handlers
//	store.go            Indexer          is the cache
//	processor.go        sharedProcessor  has a queue for each handler
//	resync.go           resync           shows handlers the cache once more
//
// It is all client-side: a SharedInformer is a program's own cache of what the
// API server answers. It sends LIST and WATCH and never writes.
//
// Article: A3.13, A3.14, A3.15, A3.16
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedInformer
// Now: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedInformer
// Differs: the article says that a SharedInformer collects the requests of clients; it holds objects, and no request from outside passes through it.
// Differs: the article says that it writes its cache to etcd from time to time; a resync only shows handlers the cached objects once more.
// Differs: all that is cached is *object.Encoded, so stores and the queue say so in their types; upstream's take interface{}.
// Differs: Run returns when all its goroutines have ended, as today; in 1.7 those of the handlers may outlive it.
// Simplified: the key of an object is always namespace/name; upstream takes a key function.
// Simplified: the cache has one index, by namespace; upstream takes index functions.
// Reading: core
package cache
