package server

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// PathRecorderMux routes by exact path, else by the longest registered prefix
// (a path that ends in "/"), else to NotFound. Paths may come and go while it
// serves: each change makes a new table.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/mux/pathrecorder.go PathRecorderMux
type PathRecorderMux struct {
	NotFound http.Handler    // set before serving
	Further  func() []string // paths to list that are not in the table; set before serving, may be nil

	mu    sync.Mutex // one change at a time
	paths atomic.Pointer[map[string]entry]
}

type entry struct {
	http.Handler
	listed bool
}

// NewPathRecorderMux returns a mux without paths.
func NewPathRecorderMux() *PathRecorderMux {
	m := &PathRecorderMux{NotFound: http.HandlerFunc(http.NotFound)}
	m.paths.Store(&map[string]entry{})
	return m
}

// Handle sets what answers a path; a nil handler removes it.
func (m *PathRecorderMux) Handle(path string, h http.Handler) { m.set(path, entry{h, true}) }

// UnlistedHandle is Handle for a path that no list shows: a prefix, say.
func (m *PathRecorderMux) UnlistedHandle(path string, h http.Handler) { m.set(path, entry{h, false}) }

func (m *PathRecorderMux) set(path string, e entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := maps.Clone(*m.paths.Load())
	if e.Handler == nil {
		delete(next, path)
	} else {
		next[path] = e
	}
	m.paths.Store(&next)
}

// ListedPaths are the paths that are there to be seen, sorted.
func (m *PathRecorderMux) ListedPaths() []string {
	var listed []string
	for path, e := range *m.paths.Load() {
		if e.listed {
			listed = append(listed, path)
		}
	}
	if m.Further != nil {
		listed = append(listed, m.Further()...)
	}
	slices.Sort(listed)
	return listed
}

func (m *PathRecorderMux) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	m.find(req.URL.Path).ServeHTTP(w, req)
}

func (m *PathRecorderMux) find(path string) http.Handler {
	paths := *m.paths.Load()
	if h, ok := paths[path]; ok {
		return h
	}
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if h, ok := paths[path[:i+1]]; ok {
			return h
		}
	}
	return m.NotFound
}
