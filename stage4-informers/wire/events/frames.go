package events

import (
	"encoding/json"
	"errors"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
)

// frames gives the events of one watch their form.
type frames struct {
	scope   *endpoints.Scope
	answer  negotiation.Answer
	include string // what a Table's rows carry
	defined bool   // a Table's columns have been sent
	initial bool   // the first bookmark ends the initial events
}

// frame is one event or, where the stream ends with one, an error; this it
// returns again.
func (f *frames) frame(ev storage.Event, failure error) ([][]byte, error) {
	var body []byte
	if failure == nil {
		body, failure = f.object(ev)
	}
	eventType := string(ev.Type)
	if failure != nil {
		eventType, body = "ERROR", mustJSON(statusOf(failure))
	}
	format := f.answer.Format
	if format.Frame == nil { // a line of JSON, with the object's bytes as they are stored
		return [][]byte{[]byte(`{"type":"` + eventType + `","object":`), body, []byte("}\n")}, failure
	}
	encoded, err := format.Encode(body)
	if err != nil {
		return nil, err
	}
	return [][]byte{format.Frame(eventType, encoded)}, failure
}

func (f *frames) object(ev storage.Event) ([]byte, error) {
	if ev.Type == storage.Bookmark {
		ev.Object = f.bookmark(ev.Revision)
	}
	if f.answer.View == nil {
		return ev.Object.JSON(), nil
	}
	r := negotiation.ViewRequest{
		Version: f.answer.Version, Resource: f.scope.Resource, Subresource: f.scope.Subresource,
		Items: []*object.Encoded{ev.Object}, IncludeObject: f.include, OmitDefinition: f.defined,
	}
	f.defined = true
	return f.answer.View.Render(r)
}

// bookmark is an object with nothing but a revision.
func (f *frames) bookmark(revision int64) *object.Encoded {
	apiVersion, kind := f.scope.Storage.Kind()
	obj := object.Object{APIVersion: apiVersion, Kind: kind}
	if f.initial {
		obj.Meta.Annotations = map[string]string{"k8s.io/initial-events-end": "true"}
		f.initial = false
	}
	return object.NewEncoded(obj.Encode(), revision)
}

func statusOf(err error) *status.Status {
	if errors.Is(err, kv.ErrCompacted) {
		return status.Expired("The resourceVersion for the provided watch is too old.")
	}
	return status.From(err)
}

func mustJSON(s *status.Status) []byte {
	body, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("events: a Status cannot be encoded: %v", err)) // it has nothing but strings and numbers
	}
	return body
}
