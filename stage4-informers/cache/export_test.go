package cache

// Wrap puts something before the cache of an informer that does not run yet.
func Wrap(informer SharedIndexInformer, wrap func(Indexer) Indexer) {
	s := informer.(*sharedIndexInformer)
	s.indexer = wrap(s.indexer)
}

// Namespaces is how many namespaces an Indexer has something about.
func Namespaces(i Indexer) int { return len(i.(*indexer).namespaces) }
