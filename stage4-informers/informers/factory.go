package informers

import (
	"maps"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/cache"
)

// GroupVersionResource names a resource of the catalog.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/schema/group_version.go GroupVersionResource
type GroupVersionResource struct{ Group, Version, Resource string }

// KeyOf returns the name of a row.
func KeyOf(r catalog.Resource) GroupVersionResource {
	return GroupVersionResource{r.Group, r.Version, r.Name}
}

// SharedInformerFactory is a set of informers that grows on demand. Its methods
// may be called concurrently.
//
// Upstream: staging/src/k8s.io/client-go/informers/factory.go SharedInformerFactory
type SharedInformerFactory struct {
	listerWatcher func(catalog.Resource) cache.ListerWatcher
	defaultResync time.Duration
	running       sync.WaitGroup

	mu               sync.Mutex // guards what follows
	informers        map[GroupVersionResource]cache.SharedIndexInformer
	startedInformers map[GroupVersionResource]cache.SharedIndexInformer
	shuttingDown     bool
}

// NewSharedInformerFactory returns a factory without informers. listerWatcher
// says where the objects of a resource come from; defaultResync is the resync
// period of every informer, 0 is none.
//
// Upstream: staging/src/k8s.io/client-go/informers/factory.go NewSharedInformerFactory
func NewSharedInformerFactory(listerWatcher func(catalog.Resource) cache.ListerWatcher, defaultResync time.Duration) *SharedInformerFactory {
	return &SharedInformerFactory{
		listerWatcher: listerWatcher, defaultResync: defaultResync,
		informers:        map[GroupVersionResource]cache.SharedIndexInformer{},
		startedInformers: map[GroupVersionResource]cache.SharedIndexInformer{},
	}
}

// ForResource returns the informer of a resource and makes it at the first
// call. It does not start it: whoever asks after Start calls Start once more.
//
// Upstream: staging/src/k8s.io/client-go/informers/generic.go ForResource
func (f *SharedInformerFactory) ForResource(r catalog.Resource) cache.SharedIndexInformer {
	f.mu.Lock()
	defer f.mu.Unlock()
	informer, ok := f.informers[KeyOf(r)]
	if !ok {
		informer = cache.NewSharedIndexInformer(r.GroupResource(), f.listerWatcher(r), f.defaultResync)
		f.informers[KeyOf(r)] = informer
	}
	return informer
}

// Start runs every informer that was asked for and does not run yet, until
// stopCh is closed. It returns at once, which is why a post-start hook may
// call it.
//
// Upstream: staging/src/k8s.io/client-go/informers/factory.go Start
func (f *SharedInformerFactory) Start(stopCh <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shuttingDown {
		return
	}
	for key, informer := range f.informers {
		if _, started := f.startedInformers[key]; !started {
			f.running.Go(func() { informer.Run(stopCh) })
			f.startedInformers[key] = informer
		}
	}
}

// WaitForCacheSync waits until all started informers have their first list,
// or stopCh is closed, and says which have it.
//
// Upstream: staging/src/k8s.io/client-go/informers/factory.go WaitForCacheSync
func (f *SharedInformerFactory) WaitForCacheSync(stopCh <-chan struct{}) map[GroupVersionResource]bool {
	f.mu.Lock()
	started := maps.Clone(f.startedInformers)
	f.mu.Unlock()
	synced := map[GroupVersionResource]bool{}
	for key, informer := range started {
		synced[key] = cache.WaitForCacheSync(stopCh, informer.HasSynced)
	}
	return synced
}

// Shutdown waits until every informer has stopped. The channel that was given
// to Start must be closed before or meanwhile. Start does nothing afterwards.
//
// Now: staging/src/k8s.io/client-go/informers/factory.go Shutdown
func (f *SharedInformerFactory) Shutdown() {
	f.mu.Lock()
	f.shuttingDown = true
	f.mu.Unlock()
	f.running.Wait()
}
