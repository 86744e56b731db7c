package builtin

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// magic begins every protobuf body; behind it stands a runtime.Unknown, which
// names the kind and carries the object's message.
var magic = []byte("k8s\x00")

// ErrNoKind is the error about a kind that is not in the table.
var ErrNoKind = errors.New("the kind has no protobuf form here")

// DecodeProtobuf turns a protobuf body into the JSON that a Go client would
// have sent instead.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go Decode
func (k *Kinds) DecodeProtobuf(body []byte) (data []byte, apiVersion, kind string, err error) {
	message, ok := bytes.CutPrefix(body, magic)
	switch {
	case len(body) == 0:
		return nil, "", "", errors.New("empty data")
	case !ok:
		return nil, "", "", fmt.Errorf("provided data does not appear to be a protobuf message, expected prefix %v", magic)
	case len(message) == 0:
		return nil, "", "", errors.New("empty body")
	}
	var envelope runtime.Unknown
	if err := envelope.Unmarshal(message); err != nil {
		return nil, "", "", err // clients read it, in upstream's words
	}
	apiVersion, kind = envelope.APIVersion, envelope.Kind
	obj, err := k.newMessage(apiVersion, kind)
	if err != nil {
		return nil, apiVersion, kind, err
	}
	if err := obj.Unmarshal(envelope.Raw); err != nil {
		return nil, apiVersion, kind, fmt.Errorf("decode protobuf of %s: %w", kind, err)
	}
	obj.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(apiVersion, kind))
	data, err = json.Marshal(obj)
	if err != nil {
		return nil, apiVersion, kind, fmt.Errorf("encode %s: %w", kind, err)
	}
	return data, apiVersion, kind, nil
}

// EncodeProtobuf is the opposite: an object, a list or a Status as protobuf.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go Encode
func (k *Kinds) EncodeProtobuf(apiVersion, kind string, data []byte) ([]byte, error) {
	obj, err := k.newMessage(apiVersion, kind)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, obj); err != nil {
		return nil, fmt.Errorf("decode %s: %w", kind, err)
	}
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: apiVersion, Kind: kind}}
	if envelope.Raw, err = obj.Marshal(); err != nil {
		return nil, fmt.Errorf("encode protobuf of %s: %w", kind, err)
	}
	message, err := envelope.Marshal()
	if err != nil {
		return nil, fmt.Errorf("encode the protobuf envelope: %w", err)
	}
	return append(magic[:len(magic):len(magic)], message...), nil
}

// Frame is one event of a watch: its length in four bytes, then a WatchEvent,
// which has no envelope of its own. object is what EncodeProtobuf made.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go NewFrameWriter
func Frame(eventType string, object []byte) []byte {
	event := metav1.WatchEvent{Type: eventType, Object: runtime.RawExtension{Raw: object}}
	frame := make([]byte, 4+event.Size())
	binary.BigEndian.PutUint32(frame, uint32(event.Size()))
	event.MarshalTo(frame[4:]) // fails only where there is too little space
	return frame
}

func (k *Kinds) newMessage(apiVersion, kind string) (Message, error) {
	t, ok := k.typeOf(apiVersion, kind)
	if !ok {
		return nil, fmt.Errorf("no kind %q is registered for version %q: %w", kind, apiVersion, ErrNoKind)
	}
	return reflect.New(t).Interface().(Message), nil
}
