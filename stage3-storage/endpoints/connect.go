package endpoints

import (
	"net/http"
	"slices"

	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"github.com/julienschmidt/httprouter"
)

// connects is the ability of a Connecter that accepts the method.
func connects(method string) func(rest.Storage) bool {
	return func(s rest.Storage) bool {
		c, ok := s.(rest.Connecter)
		return ok && slices.Contains(c.ConnectMethods(), method)
	}
}

// serveConnect hands the connection over. Only what the storage says before it
// touches the connection can still be answered with a Status.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go ConnectResource
func serveConnect(s *Scope, w http.ResponseWriter, req *http.Request) error {
	connection, err := s.Storage.(rest.Connecter).Connect(req.Context(), Key(req), rest.ConnectOptions{
		Query: req.URL.Query(), Path: httprouter.ParamsFromContext(req.Context()).ByName("path"),
	})
	if err != nil {
		return err
	}
	return connection(w, req)
}
