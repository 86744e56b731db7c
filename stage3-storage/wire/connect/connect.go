package connect

import (
	"net/http"
	"slices"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"github.com/julienschmidt/httprouter"
)

// Verbs are the rows for storages that are a rest.Connecter.
var Verbs = []endpoints.Verb{
	row("get", http.MethodGet),
	row("create", http.MethodPost),
	row("update", http.MethodPut),
	row("patch", http.MethodPatch),
	row("delete", http.MethodDelete),
	row("", http.MethodHead), // no verb of the API
	row("", http.MethodOptions),
}

func row(verb, method string) endpoints.Verb {
	return endpoints.Verb{Name: verb, Method: method, On: endpoints.Item, Able: connects(method), Serve: serve}
}

// connects is the ability of a Connecter that accepts the method.
func connects(method string) func(rest.Storage) bool {
	return func(s rest.Storage) bool {
		c, ok := s.(rest.Connecter)
		return ok && slices.Contains(c.ConnectMethods(), method)
	}
}

// serve hands the connection over. Only what the storage says before it
// touches the connection can still be answered with a Status.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go ConnectResource
func serve(s *endpoints.Scope, w http.ResponseWriter, req *http.Request) error {
	connection, err := s.Storage.(rest.Connecter).Connect(req.Context(), endpoints.Key(req), rest.ConnectOptions{
		Query: req.URL.Query(), Path: httprouter.ParamsFromContext(req.Context()).ByName("path"),
	})
	if err != nil {
		return err
	}
	return connection(w, req)
}
