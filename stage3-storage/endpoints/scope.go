package endpoints

import (
	"net/http"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Config are the tables from which the endpoints are made. The app fills them;
// a later stage appends rows.
type Config struct {
	Verbs   []Verb
	Decoder Decoder
	Encoder Encoder
	// Others stands in front of what no route is for; may be nil.
	Others func(c *Config, next http.Handler) http.Handler
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

// ServeVerb makes an http.Handler of a verb on a storage: it runs the verb's
// handler and turns its error, if any, into a Status. There is no router in
// it, so that resources which come and go at run time use it as well.
func (s *Scope) ServeVerb(v Verb) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req = req.WithContext(request.WithWarnings(req.Context()))
		err := s.Decoder.Check(s, req)
		if err == nil {
			err = v.Serve(s, w, req)
		}
		if err != nil {
			s.Encoder.Error(w, req, status.From(err))
		}
	})
}

// Key is what the path names: an object, or a collection where it has no name.
func Key(req *http.Request) rest.Key {
	info := request.InfoFrom(req.Context())
	k := rest.Key{Namespace: info.Namespace, Name: info.Name}
	if info.Resource == "namespaces" && info.Group == "" {
		k.Namespace = "" // the path has the name where others have their namespace
	}
	return k
}

// WithRequestInfo is the filter that finds out what a request asks for.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/requestinfo.go WithRequestInfo
func WithRequestInfo(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		next.ServeHTTP(w, req.WithContext(request.WithInfo(req.Context(), request.Parse(req))))
	})
}
