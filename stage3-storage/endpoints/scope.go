package endpoints

import (
	"net/http"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Config are the tables from which the endpoints are made. The app fills them;
// a later stage appends rows.
type Config struct {
	Verbs   []Verb
	Formats []Format // the first one is JSON
	Views   []View
	Patches []Patch
	Decoder Decoder
	Encoder Encoder
	// Schema is what is known of the structure of a kind, nil where nothing is.
	Schema func(apiVersion, kind string) registry.Schema
}

// Scope is everything that a handler knows about its path.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go RequestScope
type Scope struct {
	*Config
	Resource    catalog.Resource
	Subresource string
	Storage     rest.Storage
}

func (s *Scope) statusResource() status.Resource {
	return status.Resource{Group: s.Resource.Group, Name: s.Resource.Name}
}

// ServeVerb makes an http.Handler of a verb on a storage: it runs the verb's
// handler and turns its error, if any, into a Status. There is no router in
// it, so that resources which come and go at run time use it as well.
func (s *Scope) ServeVerb(v Verb) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx, warnings := request.WithWarnings(req.Context())
		req = req.WithContext(ctx)
		w = &warningWriter{ResponseWriter: w, warnings: warnings}
		err := checkName(request.InfoFrom(ctx).Name)
		if err == nil {
			err = v.Serve(s, w, req)
		}
		if err != nil {
			s.Encoder.Error(s.Config, w, req, status.From(err))
		}
	})
}

// checkName refuses names that cannot stand in a path, before anything is looked up.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/validation/path/name.go IsValidPathSegmentName
func checkName(name string) error {
	if name == "." || name == ".." {
		return status.BadRequest("Name parameter invalid: %q: may not be '%s'", name, name)
	}
	var problems []string
	for _, part := range []string{"/", "%"} {
		if strings.Contains(name, part) {
			problems = append(problems, "may not contain '"+part+"'")
		}
	}
	if problems != nil {
		return status.BadRequest("Name parameter invalid: %q: %s", name, strings.Join(problems, ";"))
	}
	return nil
}

// key is the object that the path names.
func key(req *http.Request) rest.Key {
	info := request.InfoFrom(req.Context())
	k := rest.Key{Namespace: info.Namespace, Name: info.Name}
	if info.Resource == "namespaces" && info.Group == "" {
		k.Namespace = "" // the path has the name where others have their namespace
	}
	return k
}

// namespace is the namespace whose collection the path names, or "".
func namespace(req *http.Request) string {
	info := request.InfoFrom(req.Context())
	if info.Resource == "namespaces" && info.Group == "" {
		return ""
	}
	return info.Namespace
}

// WithRequestInfo is the filter that finds out what a request asks for.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/requestinfo.go WithRequestInfo
func WithRequestInfo(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		next.ServeHTTP(w, req.WithContext(request.WithInfo(req.Context(), request.Parse(req))))
	})
}
