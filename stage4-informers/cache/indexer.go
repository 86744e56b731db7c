package cache

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"example.com/kube-apiserver/stage3-storage/object"
)

type keys map[string]struct{}

// indexer is upstream's cache and its threadSafeMap in one.
type indexer struct {
	mu       sync.RWMutex // guards what follows
	items    map[string]*object.Encoded
	indexers Indexers
	indices  map[string]map[string]keys // by the name of the index, then by value
}

func newIndexer(indexers Indexers) *indexer {
	if indexers == nil {
		indexers = Indexers{}
	}
	c := &indexer{items: map[string]*object.Encoded{}, indexers: indexers, indices: map[string]map[string]keys{}}
	for name := range indexers {
		c.indices[name] = map[string]keys{}
	}
	return c
}

func (c *indexer) Add(obj *object.Encoded) error {
	key, err := MetaNamespaceKeyFunc(obj)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.put(key, obj)
}

func (c *indexer) Update(obj *object.Encoded) error { return c.Add(obj) }

func (c *indexer) Delete(obj *object.Encoded) error {
	key, err := MetaNamespaceKeyFunc(obj)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.put(key, nil)
}

func (c *indexer) List() []*object.Encoded {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Collect(maps.Values(c.items))
}

func (c *indexer) ListKeys() []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Collect(maps.Keys(c.items))
}

func (c *indexer) Get(obj *object.Encoded) (item *object.Encoded, exists bool, err error) {
	key, err := MetaNamespaceKeyFunc(obj)
	if err != nil {
		return nil, false, err
	}
	item, exists = c.GetByKey(key)
	return item, exists, nil
}

func (c *indexer) GetByKey(key string) (item *object.Encoded, exists bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	item, exists = c.items[key]
	return item, exists
}

func (c *indexer) ByIndex(indexName, indexedValue string) ([]*object.Encoded, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.indexers[indexName] == nil {
		return nil, fmt.Errorf("index with name %s does not exist", indexName)
	}
	var list []*object.Encoded
	for key := range c.indices[indexName][indexedValue] {
		list = append(list, c.items[key])
	}
	return list, nil
}

func (c *indexer) AddIndexers(newIndexers Indexers) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := newIndexer(maps.Clone(c.indexers))
	for name, f := range newIndexers {
		if c.indexers[name] != nil {
			return fmt.Errorf("indexer conflict: there is an index %q already", name)
		}
		fresh.indexers[name], fresh.indices[name] = f, map[string]keys{}
	}
	for key, obj := range c.items {
		if err := fresh.put(key, obj); err != nil {
			return err
		}
	}
	c.items, c.indexers, c.indices = fresh.items, fresh.indexers, fresh.indices
	return nil
}

// put sets an item, or removes it where obj is nil. Nothing changes if a value
// cannot be computed; upstream panics then.
func (c *indexer) put(key string, obj *object.Encoded) error {
	next, err := c.valuesOf(obj)
	if err != nil {
		return err
	}
	before, _ := c.valuesOf(c.items[key]) // no error: they were computed once already
	for name, values := range before {
		for _, v := range values {
			delete(c.indices[name][v], key)
			if len(c.indices[name][v]) == 0 {
				delete(c.indices[name], v) // values that were once used do not pile up
			}
		}
	}
	for name, values := range next {
		for _, v := range values {
			if c.indices[name][v] == nil {
				c.indices[name][v] = keys{}
			}
			c.indices[name][v][key] = struct{}{}
		}
	}
	if obj == nil {
		delete(c.items, key)
	} else {
		c.items[key] = obj
	}
	return nil
}

func (c *indexer) valuesOf(obj *object.Encoded) (map[string][]string, error) {
	if obj == nil {
		return nil, nil
	}
	values := make(map[string][]string, len(c.indexers))
	for name, f := range c.indexers {
		var err error
		if values[name], err = f(obj); err != nil {
			return nil, fmt.Errorf("index %q: %w", name, err)
		}
	}
	return values, nil
}
