package negotiation

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// ErrNotEncodable is returned by a format that has no form for a kind.
var ErrNotEncodable = errors.New("this kind has no form in the format")

type clause struct {
	mediaType string
	params    map[string]string
	quality   float64
}

// Negotiate finds the first form in the Accept header that this server has.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go NegotiateOutputMediaType
func Negotiate(formats []Format, views []View, req *http.Request, fits func(View) bool) (Answer, error) {
	clauses := accepted(req)
	if len(clauses) == 0 {
		return Answer{Format: formats[0]}, nil
	}
	if err := routable(formats, req, clauses); err != nil {
		return Answer{}, err
	}
	for _, cl := range clauses {
		format, ok := findFormat(formats, cl.mediaType)
		if !ok {
			continue
		}
		as := cl.params["as"]
		if as == "" {
			return Answer{Format: format}, nil
		}
		i := slices.IndexFunc(views, func(v View) bool {
			return v.As == as && has(v, cl.params["g"], cl.params["v"]) && !(v.Text && format.Binary) && fits(v)
		})
		if i < 0 {
			continue
		}
		return Answer{Format: format, View: &views[i], Version: cl.params["v"]}, nil
	}
	return Answer{}, notAcceptable(formats)
}

// Encoder is the endpoints' way to this package.
type Encoder struct{ *Tables }

// Answer is the form in which a client wants its answer.
type Answer struct {
	Format  Format
	View    *View  // nil: the objects as they are
	Version string // of the view

	to reply
}

// reply is a request with the way back to its client.
type reply struct {
	formats []Format
	scope   *endpoints.Scope
	w       http.ResponseWriter
	req     *http.Request
}

// Negotiate is part of endpoints.Encoder. A view of an object, asked of a list, is
// refused by its name, and so is that of a list.
func (e Encoder) Negotiate(s *endpoints.Scope, w http.ResponseWriter, req *http.Request, want endpoints.Shape) (endpoints.Answer, error) {
	a, err := Negotiate(e.Formats, e.Views, req, func(v View) bool { return want != endpoints.Events || v.Single })
	a.to = reply{e.Formats, s, w, req}
	if err != nil || a.View == nil || want == endpoints.List && a.View.Lists || want != endpoints.List && a.View.Single {
		return a, err
	}
	_, kind := s.Storage.Kind()
	text := fmt.Sprintf("the requested object is not a list (*%s.%s)", GoPackage(s.Resource.Group), kind)
	if want == endpoints.List {
		text = fmt.Sprintf("the requested object is a list (*%s.%sList)", GoPackage(s.Resource.Group), kind)
	}
	return a, status.New(http.StatusNotAcceptable, "NotAcceptable", "you requested "+a.View.As+", but "+text, nil)
}

// GoPackage is the name under which texts of upstream know a group's types.
func GoPackage(group string) string {
	name, _, _ := strings.Cut(group, ".")
	return cmp.Or(name, "core")
}

// routable is the coarse check that upstream's router makes before any
// handler: one of the media types has to be there letter by letter, or be */*.
func routable(formats []Format, req *http.Request, clauses []clause) error {
	fits := func(c clause) bool {
		return c.mediaType == "*/*" || slices.ContainsFunc(formats, func(f Format) bool { return f.MediaType == c.mediaType })
	}
	if slices.ContainsFunc(clauses, fits) {
		return nil
	}
	known := MediaTypes(formats)
	if v := request.InfoFrom(req.Context()).Verb; v == "list" || v == "watch" {
		for _, f := range formats {
			if f.Streams {
				known += ", " + f.MediaType + ";stream=watch"
			}
		}
	}
	return status.New(http.StatusNotAcceptable, "NotAcceptable", "406: Not Acceptable\n\nAvailable representations: "+known, &status.Details{})
}

// has says whether the view is of this group and has this version.
func has(v View, group, version string) bool {
	versions := v.Versions
	if versions == nil {
		versions = []string{"v1", "v1beta1"}
	}
	return group == cmp.Or(v.Group, "meta.k8s.io") && slices.Contains(versions, version)
}

func notAcceptable(formats []Format) error {
	return status.New(http.StatusNotAcceptable, "NotAcceptable", "only the following media types are accepted: "+MediaTypes(formats), nil)
}

// MediaTypes are the names of formats, as error texts list them.
func MediaTypes(formats []Format) string {
	var names []string
	for _, f := range formats {
		names = append(names, f.MediaType)
	}
	return strings.Join(names, ", ")
}

// accepted reads the Accept header, best first. Names keep their case: they
// are compared as they are.
func accepted(req *http.Request) []clause {
	var list []clause
	for part := range strings.SplitSeq(strings.Join(req.Header.Values("Accept"), ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		cl := clause{strings.TrimSpace(name), map[string]string{}, 1}
		for p := range strings.SplitSeq(params, ";") {
			k, v, _ := strings.Cut(p, "=")
			cl.params[strings.TrimSpace(k)] = strings.Trim(v, ` "`)
		}
		if q, ok := cl.params["q"]; ok {
			cl.quality, _ = strconv.ParseFloat(q, 64) // no number is no quality
		}
		if cl.mediaType != "" && cl.quality > 0 {
			list = append(list, cl)
		}
	}
	slices.SortStableFunc(list, func(a, b clause) int { return cmp.Compare(b.quality, a.quality) })
	return list
}

func findFormat(formats []Format, mediaType string) (Format, bool) {
	if mediaType == "*/*" || mediaType == "application/*" {
		return formats[0], true
	}
	i := slices.IndexFunc(formats, func(f Format) bool { return f.MediaType == mediaType })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}
