package audit

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"mime"
	"net"
	"net/http"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/traffic"
)

// readAlong keeps what the handler reads of the body, where somebody wants to
// know: with the object, or what the object is called.
func (r *record) readAlong(req *http.Request) *bytes.Buffer {
	info := request.InfoFrom(req.Context())
	names := info.Verb == "create" || info.Verb == "update"
	if req.Body == nil || traffic.LongRunning(req) || !names && !atLeast(r.event.Level, withRequest) {
		return nil
	}
	var kept bytes.Buffer
	req.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(req.Body, &kept), req.Body}
	return &kept
}

// sent puts what the client has sent into the event.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/audit/request.go LogRequestObject
func (r *record) sent(req *http.Request, body *bytes.Buffer) {
	if body == nil {
		return
	}
	data := r.log.asJSON(req.Header, body.Bytes())
	if data == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if atLeast(r.event.Level, withRequest) {
		r.event.RequestObject = data
	}
	if ref := r.event.ObjectRef; ref != nil && req.Method != http.MethodPatch {
		r.event.ObjectRef = ref.named(data)
	}
}

// named is the reference with what the object says of itself where the path
// does not: at a creation, its name.
func (ref objectRef) named(data []byte) *objectRef {
	var o struct {
		Metadata struct{ Namespace, Name, UID, ResourceVersion string }
	}
	if json.Unmarshal(data, &o) != nil {
		return &ref
	}
	for _, f := range []struct {
		to   *string
		from string
	}{{&ref.Namespace, o.Metadata.Namespace}, {&ref.Name, o.Metadata.Name}, {&ref.UID, o.Metadata.UID}, {&ref.ResourceVersion, o.Metadata.ResourceVersion}} {
		if *f.to == "" {
			*f.to = f.from
		}
	}
	return &ref
}

// answered puts the answer into the event: all of it, or what it says if it is a Status.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/audit/request.go LogResponseObject
func (r *record) answered(code int, w *watcher) {
	now := &responseStatus{Code: code}
	data := r.log.asJSON(w.Header(), w.kept.Bytes())
	var of struct{ Kind string }
	if json.Unmarshal(data, &of) != nil || of.Kind == "" {
		data = nil // a document that is no object of the API
	}
	if s := (status.Status{}); of.Kind == "Status" && json.Unmarshal(data, &s) == nil {
		now.Status, now.Message, now.Reason, now.Details = s.Status, s.Message, s.Reason, s.Details
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.event.ResponseStatus = now
	if atLeast(r.event.Level, requestResponse) {
		r.event.ResponseObject = data
	}
}

// failed is answered where there is no answer.
func (r *record) failed(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.event.ResponseStatus = &responseStatus{Code: http.StatusInternalServerError, Status: "Failure", Reason: "InternalError", Message: why}
}

// asJSON is a body as JSON, or nil where it is none that anybody could read.
func (l *Log) asJSON(h http.Header, body []byte) json.RawMessage {
	if h.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil
		}
		if body, err = io.ReadAll(unpacked); err != nil {
			return nil
		}
	}
	mediaType, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	for _, f := range l.Formats {
		if f.MediaType == mediaType && f.Decode != nil {
			var err error
			if body, err = f.Decode(body); err != nil {
				return nil
			}
		}
	}
	if !json.Valid(body) {
		return nil
	}
	return body
}

// watcher sees the code of the answer, when it begins, and what is in it.
type watcher struct {
	http.ResponseWriter
	record  *record
	forEver bool
	limit   int  // how many bytes to keep
	always  bool // also of an answer that is no failure
	code    int
	kept    bytes.Buffer
}

// maxStatus is how long an answer can be that is looked at only because it may
// be a Status.
const maxStatus = 64 << 10

func (r *record) watch(w http.ResponseWriter, req *http.Request) *watcher {
	seen := &watcher{ResponseWriter: w, record: r, forEver: traffic.LongRunning(req), limit: maxStatus}
	switch verb := request.InfoFrom(req.Context()).Verb; {
	case seen.forEver:
	case atLeast(r.event.Level, requestResponse):
		seen.always, seen.limit = true, math.MaxInt
	default:
		seen.always = verb == "delete" || verb == "deletecollection" // often answered with a Status
	}
	return seen
}

// WriteHeader is part of http.ResponseWriter.
func (w *watcher) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
		if w.forEver {
			w.record.begun(code)
		}
	}
	w.ResponseWriter.WriteHeader(code)
}

// Write is part of http.ResponseWriter.
func (w *watcher) Write(p []byte) (int, error) {
	if w.code == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.always || w.code >= http.StatusBadRequest {
		w.kept.Write(p[:min(len(p), w.limit-w.kept.Len())])
	}
	return w.ResponseWriter.Write(p)
}

// Hijack is part of http.Hijacker: a connection is taken over by who has
// answered on it that the protocol changes.
func (w *watcher) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil && w.code == 0 {
		w.code = http.StatusSwitchingProtocols
		w.record.begun(w.code)
	}
	return conn, buffered, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *watcher) Unwrap() http.ResponseWriter { return w.ResponseWriter }
