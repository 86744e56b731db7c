package object

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"strconv"
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
	known   atomic.Pointer[attributes]

	// Of an object that came over the wire both forms are kept: whoever asked
	// for it mostly has use for them.
	kept atomic.Pointer[Object]
	meta *Meta
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
	at := metadataAt(e.json)
	if at < 0 { // not our own encoding
		obj, err := e.Object()
		if err != nil {
			return nil, err
		}
		return &obj.Meta, nil
	}
	var m Meta
	if err := decodeFirst(e.json[at-1:], &m); err != nil {
		return nil, fmt.Errorf("metadata of revision %d cannot be decoded: %w", e.rev, err)
	}
	return &m, nil
}

// JSON returns the object's bytes. They are shared: do not change them.
func (e *Encoded) JSON() []byte { return e.json }

// Revision is the store's revision of the write that made this object.
func (e *Encoded) Revision() int64 { return e.rev }

// Holds says whether value, which has no resourceVersion, is what is stored.
func (e *Encoded) Holds(value []byte) bool { return bytes.Equal(withRevision(value, e.rev), e.json) }

// At returns the same object with the revision of a later event: the first
// resourceVersion in its bytes is its own, and what a string holds has its quotes escaped.
func (e *Encoded) At(rev int64) *Encoded {
	version := func(rev int64) []byte { return fmt.Appendf(nil, `"resourceVersion":"%d"`, rev) }
	return &Encoded{json: bytes.Replace(e.json, version(e.rev), version(rev), 1), rev: rev}
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
	obj, err := decodeObject(e.json)
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
	more.fields[path] = get(obj)
	e.known.Store(&more)
	return more.fields[path]
}

func (e *Encoded) attributes() *attributes {
	known := e.known.Load()
	if known == nil {
		known = &attributes{}
		if meta, err := e.Meta(); err == nil {
			known.labels = meta.Labels
		}
		e.known.Store(known)
	}
	return known
}

func decodeObject(text []byte) (*Object, error) {
	tree, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return FromTree(tree)
}

var (
	metadataKey = []byte(`"metadata":{`)
	// naming is what upstream has in front of the resourceVersion.
	naming = regexp.MustCompile(`^(?:"(?:name|generateName|namespace|selfLink|uid)":"(?:[^"\\]|\\.)*",?)*`)
)

// metadataAt is where the metadata's fields begin, if the text is encoded as
// here: no other object before them. -1: somebody else wrote it.
func metadataAt(text []byte) int {
	at := bytes.Index(text, metadataKey)
	if at < 0 || bytes.LastIndexByte(text[:at], '{') != 0 {
		return -1
	}
	return at + len(metadataKey)
}

// withRevision puts the resourceVersion into the bytes of an object without
// parsing it.
func withRevision(value []byte, rev int64) []byte {
	at := metadataAt(value)
	if at < 0 || value[len(value)-1] != '}' {
		obj, err := decodeObject(value)
		if err != nil {
			return bytes.Clone(value)
		}
		value = obj.Encode()
		at = metadataAt(value)
	}
	at += len(naming.Find(value[at:]))
	out := append(make([]byte, 0, len(value)+len(`,"resourceVersion":"",`)+20), value[:at]...)
	if last := value[at-1]; last != ',' && last != '{' {
		out = append(out, ',')
	}
	out = fmt.Appendf(out, `"resourceVersion":"%d"`, rev)
	if value[at] != '}' {
		out = append(out, ',')
	}
	return append(out, value[at:]...)
}
