package events

import (
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/storage"
)

const (
	group      = "events.k8s.io"
	apiVersion = group + "/v1"
	kind       = "Event"
)

// names are the fields that are called otherwise in the core group.
//
// Now: pkg/apis/events/v1/conversion.go Convert_v1_Event_To_core_Event
var names = []struct{ ours, core string }{
	{"regarding", "involvedObject"},
	{"note", "message"},
	{"reportingController", "reportingComponent"},
	{"deprecatedSource", "source"},
	{"deprecatedFirstTimestamp", "firstTimestamp"},
	{"deprecatedLastTimestamp", "lastTimestamp"},
	{"deprecatedCount", "count"},
}

// fromCore is an event of the core group in our words. The fields' values are shared.
func fromCore(o *object.Object) *object.Object {
	c := &object.Object{APIVersion: apiVersion, Kind: kind, Meta: o.Meta, Fields: map[string]any{}}
	for k, v := range o.Fields {
		if v != "" { // which the core group writes out, of some fields
			c.Fields[ours(k)] = v
		}
	}
	return c
}

// toCore is the opposite.
func toCore(o *object.Object) *object.Object {
	c := &object.Object{APIVersion: "v1", Kind: kind, Meta: o.Meta, Fields: map[string]any{}}
	for k, v := range o.Fields {
		c.Fields[core(k)] = v
	}
	return c
}

func ours(name string) string {
	for _, n := range names {
		if n.core == name {
			return n.ours
		}
	}
	return name
}

func core(name string) string {
	for _, n := range names {
		if n.ours == name {
			return n.core
		}
	}
	return name
}

// converted is a stored event in our words, at the same revision.
func converted(e *object.Encoded) (*object.Encoded, error) {
	if e == nil {
		return nil, nil
	}
	o, err := e.Object()
	if err != nil {
		return nil, err
	}
	if e.Revision() == 0 {
		return object.Unstored(fromCore(o)), nil
	}
	return object.NewEncoded(fromCore(o).Encode(), e.Revision()), nil
}

func convertedAll(items []*object.Encoded) ([]*object.Encoded, error) {
	list := make([]*object.Encoded, len(items))
	for i, item := range items {
		var err error
		if list[i], err = converted(item); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func convertedEvent(ev storage.Event) (storage.Event, error) {
	var err error
	ev.Object, err = converted(ev.Object)
	return ev, err
}
