package object

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync/atomic"
	"weak"
)

// Encoded is a finished object: what is stored, cached and sent. It is
// immutable and safe for concurrent use. Equal pointers are equal objects.
type Encoded struct {
	json []byte
	rev  int64

	// A decoded object is ten times as large as its bytes, and most objects of a
	// cache are only sent. So the decoded form lasts as long as the garbage
	// collector lets it: those in the midst of changes are decoded once.
	decoded atomic.Pointer[weak.Pointer[Object]]
	kept    atomic.Pointer[Object] // of an object that came over the wire: whoever gets one mostly has use for it
	meta    *Meta                  // as well
	known   atomic.Pointer[attributes]
}

// attributes are what selectors ask for. One is never changed, only replaced.
type attributes struct {
	labels map[string]string
	fields map[string]string // those that were asked for by now
}

// NewEncoded wraps a stored value. value has no resourceVersion; rev becomes
// it. value is copied.
func NewEncoded(value []byte, rev int64) *Encoded {
	return &Encoded{json: withRevision(value, rev), rev: rev}
}

// Unstored wraps an object that is in no store: it has no resourceVersion.
func Unstored(o *Object) *Encoded { return &Encoded{json: o.Encode()} }

// FromWire wraps the bytes of one object as a server sent them and keeps them.
func FromWire(data []byte) (*Encoded, error) {
	e := &Encoded{json: data}
	meta, err := e.Meta()
	if err != nil {
		return nil, err
	}
	e.meta = meta
	e.rev, _ = strconv.ParseInt(meta.ResourceVersion, 10, 64) // 0 where the object has none
	return e, nil
}

// Meta decodes the metadata and nothing else, which is a small part of the
// work. The result is shared by all callers and read only.
func (e *Encoded) Meta() (*Meta, error) {
	if e.meta != nil {
		return e.meta, nil
	}
	data := e.MetaJSON()
	if data == nil { // not our own encoding
		obj, err := e.Object()
		if err != nil {
			return nil, err
		}
		return &obj.Meta, nil
	}
	var m Meta
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("metadata of revision %d cannot be decoded: %w", e.rev, err)
	}
	return &m, nil
}

// MetaJSON returns the bytes of the metadata, or nil where they are not
// written as this server writes them. They are shared: do not change them.
func (e *Encoded) MetaJSON() []byte {
	at, _ := find(metadataKey, e.json)
	if at < 0 {
		return nil
	}
	meta := e.json[at+len(metadataKey)-1:]
	_, end := find(nil, meta)
	return meta[:end]
}

// JSON returns the object's bytes. They are shared: do not change them.
func (e *Encoded) JSON() []byte { return e.json }

// Revision is the store's revision of the write that made this object.
func (e *Encoded) Revision() int64 { return e.rev }

// Holds says whether value, which has no resourceVersion, is what is stored.
func (e *Encoded) Holds(value []byte) bool { return bytes.Equal(withRevision(value, e.rev), e.json) }

// At returns the same object with the revision of a later event.
func (e *Encoded) At(rev int64) *Encoded {
	at := revisionAt(e.json)
	mark := []byte(`"resourceVersion":"` + strconv.FormatInt(e.rev, 10) + `"`)
	rest, ok := bytes.CutPrefix(e.json[max(at, 0):], mark)
	if !ok { // not our own encoding
		obj, err := e.Object()
		if err != nil {
			return e
		}
		return NewEncoded(obj.Encode(), rev)
	}
	out := append(make([]byte, 0, len(e.json)+20), e.json[:at]...)
	out = append(strconv.AppendInt(append(out, `"resourceVersion":"`...), rev, 10), '"')
	return &Encoded{json: append(out, rest...), rev: rev}
}

// Object decodes the bytes. The result is shared by all callers and read only;
// use DeepCopy to get one to work on.
func (e *Encoded) Object() (*Object, error) {
	if obj := e.kept.Load(); obj != nil {
		return obj, nil
	}
	if p := e.decoded.Load(); p != nil {
		if obj := p.Value(); obj != nil {
			return obj, nil
		}
	}
	tree, _, err := Parse(e.json)
	if err != nil {
		return nil, fmt.Errorf("object of revision %d cannot be decoded: %w", e.rev, err)
	}
	obj, err := FromTree(tree)
	if err != nil {
		return nil, fmt.Errorf("object of revision %d cannot be decoded: %w", e.rev, err)
	}
	if e.meta != nil {
		e.kept.Store(obj)
	} else {
		p := weak.Make(obj)
		e.decoded.Store(&p)
	}
	return obj, nil
}

// Labels are the object's labels, to be read only. They are found without
// decoding the rest, once.
func (e *Encoded) Labels() map[string]string { return e.attributes().labels }

// Field is the value that get finds at a path of the object. It is asked once
// for each path; then the answer is kept, and the object need not be decoded.
func (e *Encoded) Field(path string, get func(*Object) string) string {
	known := e.attributes()
	if value, ok := known.fields[path]; ok {
		return value
	}
	obj, err := e.Object()
	if err != nil {
		return ""
	}
	more := attributes{known.labels, maps.Clone(known.fields)}
	if more.fields == nil {
		more.fields = map[string]string{}
	}
	value := strings.Clone(get(obj)) // a part of the text that was decoded would keep all of it
	more.fields[path] = value
	e.known.Store(&more)
	return value
}

func (e *Encoded) attributes() *attributes {
	known := e.known.Load()
	if known == nil {
		known = &attributes{labels: labelsOf(e.json)}
		e.known.Store(known)
	}
	return known
}

var (
	metadataKey = []byte(`"metadata":{`)
	labelsKey   = []byte(`"labels":{`)
)

// labelsOf parses the labels alone.
func labelsOf(json []byte) map[string]string {
	at, _ := find(metadataKey, json)
	if at < 0 {
		return nil
	}
	meta := json[at+len(metadataKey)-1:]
	if at, _ = find(labelsKey, meta); at < 0 {
		return nil
	}
	p := parser{text: string(meta), at: at + len(labelsKey) - 1}
	labels := map[string]string{}
	for key, value := range p.object(nil) {
		text, _ := value.(string)
		labels[strings.Clone(key)] = strings.Clone(text)
	}
	return labels
}

// withRevision puts the resourceVersion into the bytes of an object without
// parsing it.
func withRevision(value []byte, rev int64) []byte {
	at := revisionAt(value)
	if at < 0 {
		return bytes.Clone(value)
	}
	out := make([]byte, 0, len(value)+len(`,"resourceVersion":"",`)+20)
	out = append(out, value[:at]...)
	if last := value[at-1]; last != ',' && last != '{' {
		out = append(out, ',')
	}
	out = append(out, `"resourceVersion":"`...)
	out = strconv.AppendInt(out, rev, 10)
	out = append(out, '"')
	if value[at] != '}' {
		out = append(out, ',')
	}
	return append(out, value[at:]...)
}

// revisionAt is the place where upstream has the resourceVersion: behind what
// names the object. -1: there are no metadata.
func revisionAt(value []byte) int {
	at, _ := find(metadataKey, value)
	if at < 0 {
		return -1
	}
	at += len(metadataKey)
	for _, key := range namingKeys {
		if bytes.HasPrefix(value[at:], key) {
			if at = skipString(value, at+len(key)); value[at] == ',' {
				at++
			}
		}
	}
	return at
}

// namingKeys stand in front of the resourceVersion, in this order.
var namingKeys = [][]byte{[]byte(`"name":"`), []byte(`"generateName":"`), []byte(`"namespace":"`), []byte(`"selfLink":"`), []byte(`"uid":"`)}

// skipString returns the place behind the string whose first letter is at.
func skipString(value []byte, at int) int {
	for ; at < len(value) && value[at] != '"'; at++ {
		if value[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// find looks for key in the object that value begins with, outside of strings
// and of nested values. Our own encoding has it within the first bytes; a
// foreign writer may not. Where there is no such key, at is -1, and end is the
// place behind the object, or 0 where it does not end.
func find(key, value []byte) (at, end int) {
	depth := 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return -1, i + 1
			}
		case '"':
			if depth == 1 && key != nil && bytes.HasPrefix(value[i:], key) {
				return i, 0
			}
			i = skipString(value, i+1) - 1
		}
	}
	return -1, 0
}
