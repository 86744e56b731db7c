package cache

import "example.com/kube-apiserver/stage3-storage/object"

// Replace queues a whole list: a Replaced for everything in it, and a Deleted
// for everything that is missing from it and that a handler may have heard of
// or is about to hear of. Without those, an object deleted while nobody
// watched would stay in the cache for ever.
//
// Differs: 1.7 queues a Sync for what is in the list, which reaches only the handlers of the last resync (Replaced came in 1.18).
// Differs: 1.7 drops that Sync where a deletion waits, and so loses an object that was made again meanwhile.
// Differs: 1.7 looks for missing objects only in the cache, not among those still queued, which then become ghosts.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Replace
func (f *DeltaFIFO) Replace(list []*object.Encoded, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	listed := keys{}
	for _, obj := range list {
		key, err := MetaNamespaceKeyFunc(obj)
		if err != nil {
			return err
		}
		listed[key] = struct{}{}
		if err := f.queueAction(Replaced, obj); err != nil {
			return err
		}
	}
	for _, gone := range f.missingFrom(listed) {
		if err := f.queueAction(Deleted, gone); err != nil {
			return err
		}
	}
	if !f.populated { // the queue was empty before: all that is in it now is the first list
		f.populated, f.initial = true, len(f.queue)
	}
	return nil
}

// missingFrom returns the last known states of what is queued or cached and
// not listed.
func (f *DeltaFIFO) missingFrom(listed keys) []DeletedFinalStateUnknown {
	var gone []DeletedFinalStateUnknown
	for key, deltas := range f.items {
		if _, ok := listed[key]; !ok {
			gone = append(gone, DeletedFinalStateUnknown{key, lastState(deltas[len(deltas)-1].Object)})
		}
	}
	for _, key := range f.knownObjects.ListKeys() {
		_, inList := listed[key]
		_, queued := f.items[key]
		obj, known := f.knownObjects.GetByKey(key)
		if !inList && !queued && known {
			gone = append(gone, DeletedFinalStateUnknown{key, obj})
		}
	}
	return gone
}

// Resync queues a Sync for every cached object, as it is in the cache. Nothing
// is asked of the server, and nothing is written anywhere. An object that is
// queued anyway is left out: the handlers are about to hear something newer.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go Resync
func (f *DeltaFIFO) Resync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range f.knownObjects.ListKeys() {
		obj, known := f.knownObjects.GetByKey(key)
		if _, queued := f.items[key]; queued || !known {
			continue
		}
		if err := f.queueAction(Sync, obj); err != nil {
			return err
		}
	}
	return nil
}
