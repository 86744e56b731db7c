package endpoints

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
)

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

// Negotiate finds the first form in the Accept header that this server has.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go NegotiateOutputMediaType
func Negotiate(c *Config, req *http.Request, fits func(View) bool) (Answer, error) {
	clauses := accepted(req)
	if len(clauses) == 0 {
		return Answer{Format: c.Formats[0]}, nil
	}
	if err := routable(c.Formats, req, clauses); err != nil {
		return Answer{}, err
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
		i := slices.IndexFunc(c.Views, func(v View) bool {
			return v.As == as && v.has(cl.params["g"], cl.params["v"]) && !(v.Text && format.Binary) && fits(v)
		})
		if i < 0 {
			continue
		}
		return Answer{format, &c.Views[i], cl.params["v"]}, nil
	}
	return Answer{}, notAcceptable(c.Formats)
}

// negotiate is Negotiate for an answer that is a list or one object; a view of
// the other sort is refused by its name.
func (s *Scope) negotiate(req *http.Request, list bool) (Answer, error) {
	a, err := Negotiate(s.Config, req, func(View) bool { return true })
	if err != nil || a.View == nil || list && a.View.Lists || !list && a.View.Single {
		return a, err
	}
	_, kind := s.Storage.Kind()
	text := fmt.Sprintf("the requested object is not a list (*%s.%s)", goPackage(s.Resource.Group), kind)
	if list {
		text = fmt.Sprintf("the requested object is a list (*%s.%sList)", goPackage(s.Resource.Group), kind)
	}
	return a, status.New(http.StatusNotAcceptable, "NotAcceptable", "you requested "+a.View.As+", but "+text, nil)
}

// goPackage is the name under which texts of upstream know a group's types.
func goPackage(group string) string {
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
	known := mediaTypes(formats)
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
func (v View) has(group, version string) bool {
	versions := v.Versions
	if versions == nil {
		versions = []string{"v1", "v1beta1"}
	}
	return group == cmp.Or(v.Group, "meta.k8s.io") && slices.Contains(versions, version)
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

func findFormat(formats []Format, mediaType string, wildcards bool) (Format, bool) {
	if wildcards && (mediaType == "*/*" || mediaType == "application/*") {
		return formats[0], true
	}
	i := slices.IndexFunc(formats, func(f Format) bool { return f.MediaType == mediaType })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}
