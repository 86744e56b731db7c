package collection

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Verb is the row of deletecollection; so many workers delete at a time, at most.
func Verb(workers int) endpoints.Verb {
	return endpoints.Verb{Name: "deletecollection", Method: http.MethodDelete, On: endpoints.Collection, Able: able,
		Serve: func(s *endpoints.Scope, w http.ResponseWriter, req *http.Request) error {
			return serve(s, w, req, workers)
		}}
}

// Deletable is a storage whose collection can be deleted.
type Deletable interface {
	rest.Lister
	rest.Deleter
}

// able: a kind whose deletion does more than removing an object, such as
// namespaces, does not offer it.
func able(s rest.Storage) bool {
	kind, ok := s.(interface{ Strategy() registry.Strategy })
	_, both := s.(Deletable)
	return both && !(ok && kind.Strategy().OneByOne)
}

func serve(s *endpoints.Scope, w http.ResponseWriter, req *http.Request, workers int) error {
	a, err := s.Encoder.Negotiate(s, w, req, endpoints.List)
	if err != nil {
		return err
	}
	which, err := s.Decoder.ListOptions(s, req)
	if err != nil {
		return err
	}
	opts, err := s.Decoder.DeleteOptions(s, w, req)
	if err != nil {
		return err
	}
	ctx := req.Context()
	list, err := s.Storage.(rest.Lister).List(ctx, endpoints.Key(req).Namespace, which)
	if err != nil {
		return err
	}
	if err := Delete(ctx, s.Storage.(rest.Deleter), list.Items, opts, workers); err != nil {
		return err
	}
	return a.List(list)
}

// Delete deletes objects that have been listed. It is not one transaction:
// what has gone meanwhile is skipped, and an error leaves the rest.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go DeleteCollection
func Delete(ctx context.Context, from rest.Deleter, items []*object.Encoded, opts rest.DeleteOptions, workers int) error {
	// Deletions that are under way together share a commit. Few are done one
	// after the other: so they come in the order of their names, as upstream's.
	var running sync.WaitGroup
	var next atomic.Int64
	var failed atomic.Pointer[error]
	for range min(max(workers, 1), 1+len(items)/8) {
		running.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(items) && failed.Load() == nil; i = next.Add(1) - 1 {
				if err := deleteItem(ctx, from, items[i], opts); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	running.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// deleteItem deletes one of them. A panic, of a plugin say, fails this request:
// in a goroutine that is not the request's own it would end the server.
func deleteItem(ctx context.Context, from rest.Deleter, item *object.Encoded, opts rest.DeleteOptions) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Printf("panic while a collection was deleted: %v\n%s", p, debug.Stack())
			err = status.Internal(fmt.Errorf("DeleteCollection goroutine panicked: %v", p))
		}
	}()
	meta, err := item.Meta()
	if err != nil {
		return err
	}
	_, _, err = from.Delete(ctx, rest.Key{Namespace: meta.Namespace, Name: meta.Name}, opts)
	if status.Is(err, "NotFound") {
		return nil
	}
	return err
}
