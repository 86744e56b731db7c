package endpoints

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
)

// MaxBody is how many bytes a request body may have, as upstream.
const MaxBody = 3 << 20

// ErrNotEncodable is returned by a format that has no form for a kind.
var ErrNotEncodable = errors.New("this kind has no form in the format")

// Answer is the form in which a client wants its answer.
type Answer struct {
	Format  Format
	View    *View  // nil: the objects as they are
	Version string // of the view
}

type clause struct {
	mediaType string
	params    map[string]string
	quality   float64
}

// Negotiate finds the first form in the Accept header that this server has and
// for which fits returns true; fits is asked about views only.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go NegotiateOutputMediaType
func Negotiate(c *Config, req *http.Request, fits func(View) bool) (Answer, error) {
	clauses := accepted(req)
	if len(clauses) == 0 {
		return Answer{Format: c.Formats[0]}, nil
	}
	for _, cl := range clauses {
		format, ok := findFormat(c.Formats, cl.mediaType, true)
		if !ok {
			continue
		}
		as := cl.params["as"]
		if as == "" {
			return Answer{Format: format}, nil
		}
		i := slices.IndexFunc(c.Views, func(v View) bool { return v.As == as && fits(v) })
		v := cl.params["v"]
		if i < 0 || cl.params["g"] != "meta.k8s.io" || v != "v1" && v != "v1beta1" {
			continue
		}
		return Answer{format, &c.Views[i], v}, nil
	}
	return Answer{}, notAcceptable(c.Formats)
}

func notAcceptable(formats []Format) error {
	return status.New(http.StatusNotAcceptable, "NotAcceptable", "only the following media types are accepted: "+mediaTypes(formats), nil)
}

func mediaTypes(formats []Format) string {
	var names []string
	for _, f := range formats {
		names = append(names, f.MediaType)
	}
	return strings.Join(names, ", ")
}

func accepted(req *http.Request) []clause {
	var list []clause
	for _, part := range strings.Split(strings.Join(req.Header.Values("Accept"), ","), ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		mediaType, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		quality := 1.0
		if q, ok := params["q"]; ok {
			if quality, err = strconv.ParseFloat(q, 64); err != nil || quality <= 0 {
				continue
			}
		}
		list = append(list, clause{mediaType, params, quality})
	}
	slices.SortStableFunc(list, func(a, b clause) int { return cmp.Compare(b.quality, a.quality) })
	return list
}

func findFormat(formats []Format, mediaType string, wildcards bool) (Format, bool) {
	if wildcards && (mediaType == "*/*" || mediaType == "application/*") {
		return formats[0], true
	}
	i := slices.IndexFunc(formats, func(f Format) bool {
		return f.MediaType == mediaType || slices.Contains(f.Aliases, mediaType)
	})
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// readBody reads a bounded body.
func readBody(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, MaxBody))
	if _, big := errors.AsType[*http.MaxBytesError](err); big {
		return nil, status.New(http.StatusRequestEntityTooLarge, "RequestEntityTooLarge",
			"Request entity too large: limit is "+strconv.Itoa(MaxBody), &status.Details{})
	}
	if err != nil {
		return nil, status.BadRequest("the body cannot be read: %v", err)
	}
	return body, nil
}

// readJSON reads a body in any format and returns it as JSON.
func (s *Scope) readJSON(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	body, err := readBody(w, req)
	if err != nil || len(body) == 0 {
		return body, err
	}
	format := s.Formats[0]
	if ct := req.Header.Get("Content-Type"); ct != "" {
		mediaType, _, err := mime.ParseMediaType(ct)
		var ok bool
		if format, ok = findFormat(s.Formats, mediaType, false); !ok || err != nil || format.Decode == nil && format.Encode != nil {
			return nil, status.New(http.StatusUnsupportedMediaType, "UnsupportedMediaType",
				"the body of the request was in an unknown format - accepted media types include: "+mediaTypes(s.Formats), nil)
		}
	}
	if format.Decode == nil {
		return body, nil
	}
	json, err := format.Decode(body)
	if err != nil {
		return nil, status.BadRequest("%v", err)
	}
	return json, nil
}
