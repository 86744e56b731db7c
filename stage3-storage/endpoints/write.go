package endpoints

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// WriteStatus sends an error. Its form is the client's choice, if there is one
// for errors; else JSON.
func WriteStatus(formats []Format, w http.ResponseWriter, req *http.Request, s *status.Status) {
	body, err := json.Marshal(s)
	if err != nil {
		http.Error(w, s.Message, s.Code)
		return
	}
	if d := s.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(d.RetryAfterSeconds))
	}
	format := formats[0]
	for _, cl := range accepted(req) {
		if f, ok := findFormat(formats, cl.mediaType, true); ok && cl.params["as"] == "" {
			format = f
			break
		}
	}
	send(w, req, formats, format, s.Code, body)
}

// send writes one body in a format; what the format cannot express goes as JSON.
func send(w http.ResponseWriter, req *http.Request, formats []Format, format Format, code int, body []byte) {
	if format.Encode != nil {
		encoded, err := format.Encode(body)
		switch {
		case err == nil:
			body = encoded
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
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(code)
	w.Write(body) // a client that has gone needs no answer
}

func acceptsJSON(req *http.Request) bool {
	return slices.ContainsFunc(accepted(req), func(c clause) bool {
		return c.mediaType == "application/json" || c.mediaType == "*/*" || c.mediaType == "application/*"
	})
}

// finish indents JSON for people and ends it with a newline for programs.
func finish(req *http.Request, body []byte) []byte {
	if !pretty(req) {
		return append(slices.Clip(body), '\n')
	}
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return body
	}
	return b.Bytes()
}

func pretty(req *http.Request) bool {
	if p, asked := req.URL.Query()["pretty"]; asked {
		return p[0] != "false" && p[0] != "0"
	}
	agent := req.UserAgent()
	return strings.HasPrefix(agent, "curl") || strings.HasPrefix(agent, "Wget") || strings.HasPrefix(agent, "Mozilla/5.0")
}

// sendObject answers with one object in the form that the client asked for.
func (s *Scope) sendObject(w http.ResponseWriter, req *http.Request, a Answer, code int, obj *object.Encoded) error {
	body := obj.JSON()
	if a.View != nil {
		var err error
		body, err = a.View.Render(ViewRequest{
			Version: a.Version, Resource: s.Resource, Subresource: s.Subresource, Items: []*object.Encoded{obj},
			IncludeObject: req.URL.Query().Get("includeObject"),
		})
		if err != nil {
			return err
		}
	}
	send(w, req, s.Formats, a.Format, code, body)
	return nil
}

// sendStatus answers a request that leaves no object.
func (s *Scope) sendStatus(w http.ResponseWriter, req *http.Request, a Answer, code int, st *status.Status) error {
	body, err := json.Marshal(st)
	if err != nil {
		return err
	}
	send(w, req, s.Formats, a.Format, code, body)
	return nil
}

// sendList answers with a list. The items' bytes are written as they are
// stored, without kind and apiVersion, which the list says once for all.
func (s *Scope) sendList(w http.ResponseWriter, req *http.Request, a Answer, items []*object.Encoded, meta ListMeta) error {
	if a.View != nil {
		body, err := a.View.Render(ViewRequest{
			Version: a.Version, Resource: s.Resource, Subresource: s.Subresource, Items: items, List: &meta,
			IncludeObject: req.URL.Query().Get("includeObject"),
		})
		if err != nil {
			return err
		}
		send(w, req, s.Formats, a.Format, http.StatusOK, body)
		return nil
	}
	apiVersion, kind := s.Storage.Kind()
	head, err := json.Marshal(struct {
		Kind       string   `json:"kind"`
		APIVersion string   `json:"apiVersion"`
		Metadata   ListMeta `json:"metadata"`
	}{kind + "List", apiVersion, meta})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.Write(head[:len(head)-1])
	b.WriteString(`,"items":[`)
	typeMeta := []byte(`{"kind":"` + kind + `","apiVersion":"` + apiVersion + `",`)
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		if rest, ok := bytes.CutPrefix(item.JSON(), typeMeta); ok {
			b.WriteByte('{')
			b.Write(rest)
		} else {
			b.Write(item.JSON())
		}
	}
	b.WriteString(`]}`)
	send(w, req, s.Formats, a.Format, http.StatusOK, b.Bytes())
	return nil
}

// warningWriter adds the warnings that came up to the header, right before it is sent.
type warningWriter struct {
	http.ResponseWriter
	warnings *request.Warnings
	sent     bool
}

func (w *warningWriter) WriteHeader(code int) {
	if !w.sent {
		w.sent = true
		for _, text := range w.warnings.List() {
			w.Header().Add("Warning", `299 - `+strconv.Quote(text))
		}
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *warningWriter) Write(p []byte) (int, error) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *warningWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteDocument sends something that is no stored object, such as discovery,
// in the format that the client asked for.
func WriteDocument(formats []Format, w http.ResponseWriter, req *http.Request, v any) error {
	a, err := Negotiate(&Config{Formats: formats}, req, func(View) bool { return false })
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
