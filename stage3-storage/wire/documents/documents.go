package documents

import (
	"net/http"
	"strings"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/discovery"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/openapi"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
)

// Install adds them to a server.
func Install(s *server.GenericAPIServer) {
	rows := negotiation.TablesOf(s.Endpoints)
	discovery.Install(s.Mux, rows.Formats, s.Installed)
	info := openapi.Info{Version: "v1.37.0", Paths: []string{"version"}, Status: tables.Schema("v1", "Status"), DeleteOptions: tables.Schema("v1", "DeleteOptions")}
	handler := openapi.NewHandler(info, func() ([]openapi.Resource, <-chan struct{}) {
		groups, changed := s.Installed.Watch()
		return openapi.Rows(groups, rows.Schema), changed
	})
	for _, path := range []string{"/openapi/v2", "/openapi/v3", "/openapi/v3/"} {
		s.Mux.Handle(path, handler)
	}
}

// Version lets /version be asked for in the ways of the API only: by GET, as
// JSON, with a slash at the end or without.
func Version(c *endpoints.Config, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if strings.TrimRight(req.URL.Path, "/") != "/version" {
			next.ServeHTTP(w, req)
			return
		}
		_, err := negotiation.Negotiate(negotiation.TablesOf(c).Formats[:1], nil, req, nil)
		if req.Method != http.MethodGet {
			err = endpoints.NoSuchMethod()
		}
		if err != nil {
			c.Encoder.Error(w, req, status.From(err))
			return
		}
		at := req.Clone(req.Context())
		at.URL.Path = "/version"
		next.ServeHTTP(w, at)
	})
}
