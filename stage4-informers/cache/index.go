package cache

import (
	"maps"

	"example.com/kube-apiserver/stage3-storage/object"
)

// Indexer is a Store that also finds objects by values that functions compute
// from them: all objects of a namespace, all pods of a node.
//
// Simplified: upstream's also lists keys and values of an index, and finds objects that have one in common with another.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/index.go Indexer
type Indexer interface {
	Store
	// ByIndex returns the objects that have this value.
	ByIndex(indexName, indexedValue string) ([]*object.Encoded, error)
	// AddIndexers adds indexes; the objects that are there already get into them.
	AddIndexers(newIndexers Indexers) error
}

// IndexFunc computes the values under which an object is found.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/index.go IndexFunc
type IndexFunc func(obj *object.Encoded) ([]string, error)

// Indexers are index functions by the name of their index.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/index.go Indexers
type Indexers map[string]IndexFunc

// NamespaceIndex is the usual name of the index that MetaNamespaceIndexFunc makes.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/index.go NamespaceIndex
const NamespaceIndex = "namespace"

// MetaNamespaceIndexFunc indexes by namespace.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/index.go MetaNamespaceIndexFunc
func MetaNamespaceIndexFunc(obj *object.Encoded) ([]string, error) {
	meta, err := obj.Meta()
	if err != nil {
		return nil, err
	}
	return []string{meta.Namespace}, nil
}

// NewIndexer returns an empty Indexer.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/store.go NewIndexer
func NewIndexer(indexers Indexers) Indexer { return newIndexer(maps.Clone(indexers)) }
