package negotiation

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// WriteStatus sends an error. Its form is the client's choice, if there is one
// for errors; else it is JSON for people to read.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go ErrorNegotiated
func WriteStatus(formats []Format, w http.ResponseWriter, req *http.Request, s *status.Status) {
	if d := s.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(d.RetryAfterSeconds))
	}
	clauses := accepted(req)
	i := slices.IndexFunc(clauses, func(c clause) bool {
		_, known := findFormat(formats, c.mediaType)
		return known && c.params["as"] == ""
	})
	body, err := json.Marshal(s)
	switch {
	case err != nil:
		http.Error(w, s.Message, s.Code)
	case len(clauses) == 0:
		send(w, req, formats, formats[0], s.Code, body)
	case i < 0:
		var b bytes.Buffer
		json.Indent(&b, body, "", "  ") // cannot fail: Marshal made it
		w.Header().Set("Content-Type", formats[0].MediaType)
		writeHead(w, req, s.Code)
		w.Write(b.Bytes()) // a client that has gone needs no answer
	default:
		format, _ := findFormat(formats, clauses[i].mediaType)
		send(w, req, formats, format, s.Code, body)
	}
}

// send writes one body, in parts, in a format; what the format cannot express
// goes as JSON.
func send(w http.ResponseWriter, req *http.Request, formats []Format, format Format, code int, body ...[]byte) {
	if format.Encode != nil {
		encoded, err := format.Encode(bytes.Join(body, nil))
		switch {
		case err == nil:
			body = [][]byte{encoded}
		case errors.Is(err, ErrNotEncodable) && acceptsJSON(req):
			format = formats[0]
		case code < 400:
			WriteStatus(formats[:1], w, req, status.From(notAcceptable(formats[:2])))
			return
		default:
			format = formats[0]
		}
	}
	if format.Encode == nil {
		body = finish(req, body)
	}
	w.Header().Set("Content-Type", format.MediaType)
	transmit(w, req, code, body)
}

// compressFrom is how big an answer must be to be compressed.
const compressFrom = 128 << 10

// gather is how much of a list is handed to the connection at once. With HTTP/2
// each handing over wakes another goroutine: object by object, that took as long
// as encryption.
const gather = 256 << 10

// transmit writes the parts one after the other: a list is never put together in memory.
//
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go deferredResponseWriter
func transmit(w http.ResponseWriter, req *http.Request, code int, body [][]byte) {
	size := 0
	for _, part := range body {
		size += len(part)
	}
	var out io.Writer = w
	if size > compressFrom && wantsGzip(req) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Add("Vary", "Accept-Encoding")
		zip, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // fails for a wrong level only
		defer zip.Close()
		out = zip
	} else {
		w.Header().Set("Content-Length", strconv.Itoa(size))
	}
	writeHead(w, req, code)
	if len(body) > 1 {
		gathered := bufio.NewWriterSize(out, min(size, gather))
		defer gathered.Flush() // before the gzip writer is closed
		out = gathered
	}
	for _, part := range body {
		if _, err := out.Write(part); err != nil {
			return // a client that has gone needs no answer
		}
	}
}

func wantsGzip(req *http.Request) bool {
	for token := range strings.SplitSeq(req.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(token) == "gzip" {
			return true
		}
	}
	return false
}

func acceptsJSON(req *http.Request) bool {
	return slices.ContainsFunc(accepted(req), func(c clause) bool {
		return c.mediaType == "application/json" || c.mediaType == "*/*" || c.mediaType == "application/*"
	})
}

// finish indents JSON for people and ends it with a newline for programs.
func finish(req *http.Request, body [][]byte) [][]byte {
	if !pretty(req) {
		return append(body, []byte{'\n'})
	}
	var b bytes.Buffer
	if json.Indent(&b, bytes.Join(body, nil), "", "  ") != nil {
		return body
	}
	return [][]byte{b.Bytes()}
}

func pretty(req *http.Request) bool {
	if p := req.URL.Query().Get("pretty"); p != "" {
		wanted, _ := strconv.ParseBool(p) // what is neither is no
		return wanted
	}
	if strings.Contains(req.Header.Get("Accept"), "pretty=1") {
		return true
	}
	agent := req.UserAgent()
	return strings.HasPrefix(agent, "curl") || strings.HasPrefix(agent, "Wget") || strings.HasPrefix(agent, "Mozilla/5.0")
}

// Error is part of endpoints.Encoder.
func (e Encoder) Error(w http.ResponseWriter, req *http.Request, st *status.Status) {
	WriteStatus(e.Formats, w, req, st)
}

func (a Answer) send(code int, body ...[]byte) {
	send(a.to.w, a.to.req, a.to.formats, a.Format, code, body...)
}

// Status is part of endpoints.Answer.
func (a Answer) Status(st *status.Status) error {
	body, err := json.Marshal(st)
	if err != nil {
		return err
	}
	a.send(http.StatusOK, body)
	return nil
}

// Object is part of endpoints.Answer.
func (a Answer) Object(code int, obj *object.Encoded) error {
	body, err := obj.JSON(), error(nil)
	if a.View != nil {
		body, err = a.render([]*object.Encoded{obj}, nil)
	}
	if err != nil {
		return err
	}
	a.send(code, body)
	return nil
}

func (a Answer) render(items []*object.Encoded, list *ListMeta) ([]byte, error) {
	return a.View.Render(ViewRequest{
		Version: a.Version, Resource: a.to.scope.Resource, Subresource: a.to.scope.Subresource, Items: items, List: list,
		IncludeObject: a.to.req.URL.Query().Get("includeObject"),
	})
}

// List is part of endpoints.Answer. The items' bytes are written as they are
// stored, without kind and apiVersion, which the list says once for all.
func (a Answer) List(list rest.List) error {
	meta := ListMeta{Continue: encodeContinue(list.Continue), RemainingItemCount: list.Remaining}
	if list.Revision > 0 { // what is in no store has none
		meta.ResourceVersion = strconv.FormatInt(list.Revision, 10)
	}
	if a.View != nil {
		body, err := a.render(list.Items, &meta)
		if err != nil {
			return err
		}
		a.send(http.StatusOK, body)
		return nil
	}
	body, err := listBody(a.to.scope, list.Items, meta)
	if err != nil {
		return err
	}
	a.send(http.StatusOK, body...)
	return nil
}

func listBody(s *endpoints.Scope, items []*object.Encoded, meta ListMeta) ([][]byte, error) {
	apiVersion, kind := s.Storage.Kind()
	head, err := json.Marshal(struct {
		Kind       string   `json:"kind"`
		APIVersion string   `json:"apiVersion"`
		Metadata   ListMeta `json:"metadata"`
	}{kind + "List", apiVersion, meta})
	if err != nil {
		return nil, err
	}
	body := make([][]byte, 0, 3*len(items)+3)
	body = append(body, head[:len(head)-1], []byte(`,"items":[`))
	typeMeta := []byte(`{"kind":"` + kind + `","apiVersion":"` + apiVersion + `",`)
	comma, brace := []byte{','}, []byte{'{'}
	for i, item := range items {
		if i > 0 {
			body = append(body, comma)
		}
		if rest, ok := bytes.CutPrefix(item.JSON(), typeMeta); ok {
			body = append(body, brace, rest)
		} else {
			body = append(body, item.JSON())
		}
	}
	return append(body, []byte("]}")), nil
}

// WriteDocument sends something that is no stored object, such as discovery,
// in the format that the client asked for.
func WriteDocument(formats []Format, w http.ResponseWriter, req *http.Request, v any) error {
	a, err := Negotiate(formats, nil, req, nil)
	if err != nil {
		return err
	}
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	send(w, req, formats, a.Format, http.StatusOK, body)
	return nil
}
