package connect

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Connecter serves paths whose answer is no object: exec, logs, proxies.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/rest/rest.go Connecter
type Connecter interface {
	ConnectMethods() []string
	// IncludePath says whether more of a path may follow: …/proxy/metrics.
	IncludePath() bool
	// Connect finds out where the connection leads to. Its error becomes a Status.
	Connect(ctx context.Context, key rest.Key, opts Options) (Connection, error)
}

// Options are what a client says about a connection.
type Options struct {
	Query url.Values
	Path  string // what follows the path of the resource: "/metrics", "/", ""
}

// Connection takes over a request. Its error becomes a Status, so it returns
// none once it has begun to answer.
type Connection func(w http.ResponseWriter, req *http.Request) error

// Verbs are the rows for storages that are a Connecter.
var Verbs = slices.Concat(rows(endpoints.Item), rows(endpoints.Below))

func rows(on endpoints.Place) (verbs []endpoints.Verb) {
	for _, row := range []struct{ verb, method string }{
		{"get", http.MethodGet}, {"create", http.MethodPost}, {"update", http.MethodPut}, {"patch", http.MethodPatch},
		{"delete", http.MethodDelete}, {"", http.MethodHead}, {"", http.MethodOptions}, // the last two are no verbs of the API
	} {
		verbs = append(verbs, endpoints.Verb{Name: row.verb, Method: row.method, On: on, Able: connects(row.method, on), Serve: serve})
	}
	return verbs
}

// connects is the ability of a Connecter that accepts the method, on its path
// alone or on what is below as well.
func connects(method string, on endpoints.Place) func(rest.Storage) bool {
	return func(s rest.Storage) bool {
		c, ok := s.(Connecter)
		return ok && slices.Contains(c.ConnectMethods(), method) && c.IncludePath() == (on == endpoints.Below)
	}
}

// serve hands the connection over. Only what the storage says before it
// touches the connection can still be answered with a Status.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go ConnectResource
func serve(s *endpoints.Scope, w http.ResponseWriter, req *http.Request) error {
	connection, err := s.Storage.(Connecter).Connect(req.Context(), endpoints.Key(req), Options{
		Query: req.URL.Query(), Path: endpoints.PathBelow(req),
	})
	if err != nil {
		return err
	}
	return connection(w, req)
}
