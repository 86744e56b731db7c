package app

import (
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/discovery"
	"example.com/kube-apiserver/stage3-storage/wire/openapi"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
)

// InstallDocuments adds what a server says of itself: discovery and OpenAPI.
func InstallDocuments(s *server.GenericAPIServer) {
	discovery.Install(s.Mux, s.Endpoints.Formats, s.Installed)
	info := openapi.Info{Version: "v1.37.0", Paths: []string{"version"}, Status: tables.Schema("v1", "Status"), DeleteOptions: tables.Schema("v1", "DeleteOptions")}
	handler := openapi.NewHandler(info, func() ([]openapi.Resource, <-chan struct{}) {
		groups, changed := s.Installed.Watch()
		return openapi.Rows(groups, s.Endpoints.Schema), changed
	})
	for _, path := range []string{"/openapi/v2", "/openapi/v3", "/openapi/v3/"} {
		s.Mux.Handle(path, handler)
	}
}
