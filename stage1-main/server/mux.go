package server

import (
	"net/http"
	"strings"
	"sync"
)

// PathRecorderMux routes by exact path, else by the longest registered prefix
// (a path that ends in "/"), else to NotFound. Paths may come while it serves.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/mux/pathrecorder.go PathRecorderMux
type PathRecorderMux struct {
	NotFound http.Handler    // set before serving
	Further  func() []string // what else to list; set before serving, may be nil

	routes sync.Map // path → http.Handler
}

// NewPathRecorderMux returns a mux without paths.
func NewPathRecorderMux() *PathRecorderMux {
	return &PathRecorderMux{NotFound: http.HandlerFunc(http.NotFound)}
}

// Handle sets what answers a path.
func (m *PathRecorderMux) Handle(path string, h http.Handler) { m.routes.Store(path, h) }

// Unlisted is the handler of a path that no list shows.
type Unlisted struct{ http.Handler }

// ListedPaths are the paths that are there to be seen.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/mux/pathrecorder.go ListedPaths
func (m *PathRecorderMux) ListedPaths() (paths []string) {
	for path, h := range m.routes.Range {
		if _, unlisted := h.(Unlisted); !unlisted {
			paths = append(paths, path.(string))
		}
	}
	if m.Further != nil {
		paths = append(paths, m.Further()...)
	}
	return paths
}

func (m *PathRecorderMux) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	path := req.URL.Path
	h, found := m.routes.Load(path)
	for i := strings.LastIndexByte(path, '/'); i > 0 && !found; i = strings.LastIndexByte(path[:i], '/') {
		h, found = m.routes.Load(path[:i+1])
	}
	if !found {
		m.NotFound.ServeHTTP(w, req)
		return
	}
	h.(http.Handler).ServeHTTP(w, req)
}
