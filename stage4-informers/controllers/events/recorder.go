package events

import (
	"context"
	"fmt"
	"log"
	"maps"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/client"
)

var row = catalog.Resource{Version: "v1", Name: "events", Kind: "Event", Namespaced: true}

// An object that is in trouble again and again must not fill the store: no
// more than burst events are written about one object within window.
const (
	burst  = 25
	window = 5 * time.Minute
)

// Recorder writes events. It is safe for concurrent use.
type Recorder struct {
	client    *client.Client
	component string // who reports

	mu      sync.Mutex // guards written
	written map[string]count
}

type count struct {
	n     int
	since time.Time
}

// New returns a Recorder for one controller.
func New(c *client.Client, component string) *Recorder {
	return &Recorder{client: c, component: component, written: map[string]count{}}
}

// Event writes one event of type Normal or Warning about obj. Whoever calls
// has nothing to do with a failure, so it is only logged.
func (r *Recorder) Event(ctx context.Context, obj *object.Object, kind, reason, message string) {
	if !r.allow(obj.Meta.UID) {
		return
	}
	namespace := obj.Meta.Namespace
	if namespace == "" {
		namespace = "default"
	}
	now := object.Now()
	event := &object.Object{APIVersion: "v1", Kind: row.Kind,
		Meta: object.Meta{Namespace: namespace, Name: fmt.Sprintf("%.236s.%x", obj.Meta.Name, time.Now().UnixNano())}, // never more than 253
		Fields: rules.Tree{
			"involvedObject": rules.Tree{
				"apiVersion": obj.APIVersion, "kind": obj.Kind, "namespace": obj.Meta.Namespace, "name": obj.Meta.Name,
				"uid": obj.Meta.UID, "resourceVersion": obj.Meta.ResourceVersion,
			},
			"type": kind, "reason": reason, "message": message, "count": rules.Number(1),
			"firstTimestamp": now, "lastTimestamp": now,
			"source": rules.Tree{"component": r.component}, "reportingComponent": r.component,
		}}
	_, err := r.client.Create(ctx, row, namespace, event)
	if err != nil && ctx.Err() == nil && !status.Is(err, "Forbidden") && !status.Is(err, "NotFound") { // the namespace goes, or has gone
		log.Printf("%s: event %s about %s: %v", r.component, reason, obj.Meta.Name, err)
	}
}

func (r *Recorder) allow(uid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.written, func(_ string, c count) bool { return time.Since(c.since) > window })
	c, known := r.written[uid]
	if !known {
		c.since = time.Now()
	}
	c.n++
	r.written[uid] = c
	return c.n <= burst
}
