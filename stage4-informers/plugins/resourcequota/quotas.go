package resourcequota

import (
	"context"
	"maps"
	"strconv"
	"sync"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// quotas reads and writes the quotas of a namespace.
//
// Upstream: plugin/pkg/admission/resourcequota/resource_access.go quotaAccessor
type quotas struct {
	lister *listers.Lister
	client *client.Client

	mu  sync.Mutex // guards own
	own map[string]*object.Object
}

var quotaResource = catalog.Resource{Version: "v1", Name: "resourcequotas", Kind: "ResourceQuota", Namespaced: true}

// known is what the informer knows, and what was written here since: the
// informer will hear of that a moment later.
func (q *quotas) known(namespace string) ([]*object.Object, error) {
	list, err := q.lister.In(namespace)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, seen := range list {
		key := namespace + "/" + seen.Meta.Name
		own := q.own[key]
		switch {
		case own == nil:
		case revision(own) > revision(seen):
			list[i] = own
		default:
			delete(q.own, key)
		}
	}
	return list, nil
}

func revision(o *object.Object) int64 {
	rev, _ := strconv.ParseInt(o.Meta.ResourceVersion, 10, 64) // the server's own numbers
	return rev
}

// live asks the API.
func (q *quotas) live(ctx context.Context, namespace string) ([]*object.Object, error) {
	list, err := q.client.ListerWatcher(quotaResource, namespace).List(ctx)
	if err != nil {
		return nil, err
	}
	objects := make([]*object.Object, len(list.Items))
	for i, item := range list.Items {
		if objects[i], err = item.Object(); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// write stores the pages that have changed, and adds their names to written.
func (q *quotas) write(ctx context.Context, l ledger, written map[string]bool) error {
	for _, page := range l {
		if !page.changed {
			continue
		}
		next := page.quota.DeepCopy()
		used := rules.Make(next.Fields, "status", "used")
		maps.Copy(used, page.used.Tree())
		stored, err := q.client.Update(ctx, quotaResource, "status", next)
		if err != nil {
			return err
		}
		written[next.Meta.Name] = true
		if err := q.remember(stored); err != nil {
			return err
		}
	}
	return nil
}

func (q *quotas) remember(stored *object.Encoded) error {
	o, err := stored.Object()
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.own == nil {
		q.own = map[string]*object.Object{}
	}
	q.own[o.Meta.Namespace+"/"+o.Meta.Name] = o
	return nil
}
