package cache

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"example.com/kube-apiserver/stage3-storage/object"
)

// Store is a set of objects by key, which may be used concurrently. Only the
// informer writes to it; that nobody else does is a convention, as upstream.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/store.go Store
type Store interface {
	Update(key string, obj *object.Encoded)
	Delete(key string)
	GetByKey(key string) (obj *object.Encoded, exists bool)
	List() map[string]*object.Encoded // by key: a copy of the map, not of the objects
}

// Indexer is a Store that finds the objects of a namespace without going
// through all the others.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/index.go Indexer
type Indexer interface {
	Store
	ByNamespace(namespace string) map[string]*object.Encoded // as List
}

// NewIndexer returns an empty Indexer.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/store.go NewIndexer
func NewIndexer() Indexer {
	return &indexer{namespaces: map[string]map[string]*object.Encoded{}}
}

// indexer is upstream's cache and its threadSafeMap in one.
type indexer struct {
	mu         sync.RWMutex                          // guards what follows
	namespaces map[string]map[string]*object.Encoded // by namespace, then by key
}

func (c *indexer) Update(key string, obj *object.Encoded) {
	c.mu.Lock()
	defer c.mu.Unlock()
	namespace := namespaceOf(key)
	if c.namespaces[namespace] == nil {
		c.namespaces[namespace] = map[string]*object.Encoded{}
	}
	c.namespaces[namespace][key] = obj
}

func (c *indexer) Delete(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	namespace := namespaceOf(key)
	delete(c.namespaces[namespace], key)
	if len(c.namespaces[namespace]) == 0 {
		delete(c.namespaces, namespace) // namespaces that are gone do not pile up
	}
}

func (c *indexer) GetByKey(key string) (obj *object.Encoded, exists bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	obj, exists = c.namespaces[namespaceOf(key)][key]
	return obj, exists
}

func (c *indexer) List() map[string]*object.Encoded {
	c.mu.RLock()
	defer c.mu.RUnlock()
	all := map[string]*object.Encoded{}
	for _, objects := range c.namespaces {
		maps.Copy(all, objects)
	}
	return all
}

func (c *indexer) ByNamespace(namespace string) map[string]*object.Encoded {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return maps.Clone(c.namespaces[namespace])
}

// MetaNamespaceKeyFunc returns the key of what a handler gets, an object or a
// DeletedFinalStateUnknown: "namespace/name", or "name" without a namespace.
//
// Differs: upstream's knows objects only; who forgets DeletionHandlingMetaNamespaceKeyFunc overlooks deletions.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/store.go MetaNamespaceKeyFunc
func MetaNamespaceKeyFunc(obj any) (string, error) {
	if gone, ok := obj.(DeletedFinalStateUnknown); ok {
		return gone.Key, nil
	}
	known, ok := obj.(*object.Encoded)
	if !ok {
		return "", fmt.Errorf("make a key: a %T is neither an object nor the last state of one", obj)
	}
	meta, err := known.Meta()
	if err != nil {
		return "", fmt.Errorf("make a key: %w", err)
	}
	if meta.Namespace == "" {
		return meta.Name, nil
	}
	return meta.Namespace + "/" + meta.Name, nil
}

// SplitMetaNamespaceKey takes a key of MetaNamespaceKeyFunc apart.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/store.go SplitMetaNamespaceKey
func SplitMetaNamespaceKey(key string) (namespace, name string, err error) {
	namespace, name, both := strings.Cut(key, "/")
	if !both {
		return "", key, nil
	}
	if strings.Contains(name, "/") {
		return "", "", fmt.Errorf("unexpected key format: %q", key)
	}
	return namespace, name, nil
}

func namespaceOf(key string) string {
	namespace, _, _ := SplitMetaNamespaceKey(key) // no error: the key is one of ours
	return namespace
}
