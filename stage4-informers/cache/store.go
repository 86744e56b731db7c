package cache

import (
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
)

// Store is a set of objects by key, the local cache of an informer. Its
// methods may be called concurrently. Only the informer writes to it; that
// nobody else does is a convention, here as upstream. The objects are shared
// and immutable.
//
// Simplified: upstream's has Replace and Resync, too, so that a Reflector can fill it without a queue.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/store.go Store
type Store interface {
	Add(obj *object.Encoded) error
	Update(obj *object.Encoded) error
	Delete(obj *object.Encoded) error
	List() []*object.Encoded // in no particular order
	ListKeys() []string      // in no particular order
	Get(obj *object.Encoded) (item *object.Encoded, exists bool, err error)
	GetByKey(key string) (item *object.Encoded, exists bool)
}

// MetaNamespaceKeyFunc returns the key of an object: "namespace/name", or
// "name" where it has no namespace.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/store.go MetaNamespaceKeyFunc
func MetaNamespaceKeyFunc(obj *object.Encoded) (string, error) {
	meta, err := obj.Meta()
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

// DeletedFinalStateUnknown is what OnDelete gets instead of an object when the
// deletion itself was not seen: the watch was interrupted, and the next list
// had no such object any more. Obj is the last state that is known.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/delta_fifo.go DeletedFinalStateUnknown
type DeletedFinalStateUnknown struct {
	Key string
	Obj *object.Encoded
}

// DeletionHandlingMetaNamespaceKeyFunc returns the key of anything that a
// handler may get: an object or a DeletedFinalStateUnknown.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/controller.go DeletionHandlingMetaNamespaceKeyFunc
func DeletionHandlingMetaNamespaceKeyFunc(obj any) (string, error) {
	switch obj := obj.(type) {
	case DeletedFinalStateUnknown:
		return obj.Key, nil
	case *object.Encoded:
		return MetaNamespaceKeyFunc(obj)
	}
	return "", fmt.Errorf("make a key: a %T is neither an object nor the last state of one", obj)
}

// lastState is the object in a delta.
func lastState(obj any) *object.Encoded {
	if gone, ok := obj.(DeletedFinalStateUnknown); ok {
		return gone.Obj
	}
	return obj.(*object.Encoded) // nothing else gets into the queue
}
