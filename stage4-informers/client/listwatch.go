package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/cache"
)

// ListerWatcher is a collection as an informer wants it: all objects of a
// resource in one namespace, or in all where namespace is "".
func (c *Client) ListerWatcher(r catalog.Resource, namespace string) cache.ListerWatcher {
	return &listerWatcher{c, r, path(r, namespace, "", "")}
}

type listerWatcher struct {
	client   *Client
	resource catalog.Resource
	path     string
}

// List returns all objects of a resource in one namespace, or in all where
// namespace is "", as they are now.
func (c *Client) List(ctx context.Context, r catalog.Resource, namespace string) ([]*object.Encoded, error) {
	list, err := c.ListerWatcher(r, namespace).List(ctx)
	return list.Items, err
}

func (l *listerWatcher) List(ctx context.Context) (cache.List, error) {
	asking := l.client
	if asking.accept == metadataOnly {
		asking = asking.accepting(listMetadataOnly)
	}
	body, err := asking.do(ctx, http.MethodGet, l.path, "", nil)
	if err != nil {
		return cache.List{}, err
	}
	var list struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return cache.List{}, fmt.Errorf("list of %s: %w", l.resource.GroupResource(), err)
	}
	out := cache.List{ResourceVersion: list.Metadata.ResourceVersion, Items: make([]*object.Encoded, len(list.Items))}
	for i, raw := range list.Items {
		if out.Items[i], err = object.FromWire(l.withKind(raw)); err != nil {
			return cache.List{}, err
		}
	}
	return out, nil
}

// withKind puts back what a list says once for all of its items, so that an
// object has the same bytes wherever it comes from.
func (l *listerWatcher) withKind(item []byte) []byte {
	if bytes.HasPrefix(item, []byte(`{"kind":`)) || bytes.HasPrefix(item, []byte(`{"apiVersion":`)) {
		return item
	}
	head := `{"kind":"` + l.resource.Kind + `","apiVersion":"` + l.resource.APIVersion() + `",`
	return append([]byte(head), item[1:]...)
}

func (l *listerWatcher) Watch(ctx context.Context, resourceVersion string) iter.Seq2[cache.Event, error] {
	return func(yield func(cache.Event, error) bool) {
		resp, err := l.client.send(ctx, http.MethodGet, l.path+"?watch=true&allowWatchBookmarks=true&resourceVersion="+url.QueryEscape(resourceVersion), "", nil)
		if err != nil {
			yield(cache.Event{}, err)
			return
		}
		defer resp.Body.Close()
		frames := json.NewDecoder(resp.Body)
		for {
			ev, err := next(frames)
			if err == io.EOF {
				return // the server has ended the stream in the normal way
			}
			if !yield(ev, err) || err != nil {
				return
			}
		}
	}
}

// next reads one frame of a watch.
func next(frames *json.Decoder) (cache.Event, error) {
	var f struct {
		Type   cache.EventType `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := frames.Decode(&f); err != nil {
		return cache.Event{}, err
	}
	if f.Type == cache.EventError {
		s := &status.Status{}
		if err := json.Unmarshal(f.Object, s); err != nil {
			return cache.Event{}, err
		}
		return cache.Event{}, s
	}
	obj, err := object.FromWire(f.Object)
	return cache.Event{Type: f.Type, Object: obj}, err
}
