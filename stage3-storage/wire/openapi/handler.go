package openapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// Resource is a row: a resource of the catalog and what can be done with it.
type Resource struct {
	catalog.Resource
	Verbs        []string       // as in discovery
	Schema       *schema.Schema // nil: nothing is known of the objects
	List         *schema.Schema // nil: lists have no structure of their own
	Subresources []Subresource
}

// Subresource is a path below an object.
type Subresource struct {
	Name                 string // status
	Group, Version, Kind string // of what is sent and answered
	Verbs                []string
	Schema               *schema.Schema
}

// Info is what documents hold besides their resources.
type Info struct {
	Version       string
	Paths         []string // without a leading slash: "version"
	Status        *schema.Schema
	DeleteOptions *schema.Schema
}

// Handler serves /openapi/v2, /openapi/v3 and what is below that. A document is
// made when it is first asked for.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/openapi/openapi_handler.go OpenAPIService
type Handler struct {
	info Info
	rows func() ([]Resource, <-chan struct{})

	mu   sync.Mutex // guards what follows
	docs *documents
}

// documents is one state of the server, in version 3 by path: "api/v1", "apis/apps/v1".
type documents struct {
	byPath    map[string]*document
	index, v2 *document
	changed   <-chan struct{} // closed when the state is over
}

// document is made, in each of its forms, when that is first asked for.
type document struct {
	rows       []Resource
	made       time.Time
	json, wire func() content
}

type content struct {
	data []byte
	hash string
	err  error
}

// NewHandler returns a handler for the resources that rows returns, with a
// channel that is closed when there are others.
func NewHandler(info Info, rows func() ([]Resource, <-chan struct{})) *Handler {
	return &Handler{info: info, rows: rows, docs: &documents{changed: closed()}}
}

func closed() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// current is the present state. Documents whose rows are what they were stay
// as they are.
func (h *Handler) current() *documents {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.docs.changed:
	default:
		return h.docs
	}
	rows, changed := h.rows()
	old, next := h.docs, &documents{byPath: map[string]*document{}, changed: changed}
	groups := byGroupVersion(rows)
	for path, rows := range groups {
		doc := old.byPath[path]
		if doc == nil || !reflect.DeepEqual(doc.rows, rows) {
			doc = newDocument(rows, func() any { return h.groupVersion(path, rows) }, protoV3)
		}
		next.byPath[path] = doc
	}
	for _, path := range plainPaths(h.info.Paths, next.byPath) {
		if next.byPath[path] = old.byPath[path]; next.byPath[path] == nil {
			next.byPath[path] = newDocument(nil, func() any { return h.plain(path) }, protoV3)
		}
	}
	next.index = newDocument(nil, func() any { return next.list() }, nil)
	next.v2 = newDocument(nil, func() any { return h.v2(groups) }, protoV2)
	h.docs = next
	return next
}

func newDocument(rows []Resource, tree func() any, proto func(json []byte) ([]byte, error)) *document {
	d := &document{rows: rows, made: time.Now()}
	d.json = sync.OnceValue(func() content {
		data, err := json.Marshal(tree())
		return newContent(data, err)
	})
	if proto != nil {
		d.wire = sync.OnceValue(func() content { return newContent(proto(d.json().data)) })
	}
	return d
}

func newContent(data []byte, err error) content {
	sum := sha256.Sum256(data)
	return content{data, hex.EncodeToString(sum[:]), err}
}

// list is the index. It needs the hash of every document, hence every document.
func (d *documents) list() any {
	paths := map[string]any{}
	for path, doc := range d.byPath {
		paths[path] = map[string]string{"serverRelativeURL": "/openapi/v3/" + path + "?hash=" + doc.json().hash}
	}
	return map[string]any{"paths": paths}
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	version, path, _ := strings.Cut(strings.Trim(strings.TrimPrefix(req.URL.Path, "/openapi/"), "/"), "/")
	docs := h.current()
	switch doc := docs.byPath[path]; {
	case version == "v2" && path == "":
		docs.v2.serve(w, req, "v2", "")
	case version == "v3" && path == "":
		docs.index.serve(w, req, "v3", "text/plain; charset=utf-8") // so it is upstream
	case version == "v3" && doc != nil && doc.moved(w, req):
	case version == "v3" && doc != nil:
		doc.serve(w, req, "v3", "")
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// moved answers a request for a hash that is not the document's with a
// redirection to the one that is. What has the right one may be kept for good.
func (d *document) moved(w http.ResponseWriter, req *http.Request) bool {
	hash := req.URL.Query().Get("hash")
	header := w.Header()
	switch now := d.json().hash; hash {
	case "":
		header.Set("Cache-Control", "no-cache, private")
	case now:
		header.Set("Cache-Control", "public, immutable")
		header.Set("Expires", time.Now().UTC().AddDate(1, 0, 0).Format(http.TimeFormat))
	default:
		http.Redirect(w, req, req.URL.Path+"?hash="+now, http.StatusMovedPermanently)
		return true
	}
	return false
}

// serve answers in the form that the client prefers.
func (d *document) serve(w http.ResponseWriter, req *http.Request, version, mediaType string) {
	form := d.json
	if mediaType == "" {
		mediaType = preferred(req, version)
	}
	switch {
	case mediaType == "":
		w.WriteHeader(http.StatusNotAcceptable)
		return
	case strings.HasSuffix(mediaType, "+protobuf"):
		form = d.wire
	}
	c := form()
	if c.err != nil {
		http.Error(w, c.err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", mediaType)
	header.Set("Etag", `"`+c.hash+`"`)
	header.Set("Vary", "Accept")
	http.ServeContent(w, req, "", d.made, bytes.NewReader(c.data))
}

// preferred is the media type of the first form in the Accept header that
// there is; "" where there is none of them.
func preferred(req *http.Request, version string) string {
	accept := req.Header.Get("Accept")
	if accept == "" {
		return "application/json"
	}
	proto := "application/com.github.proto-openapi.spec." + version
	for part := range strings.SplitSeq(accept, ",") {
		name, _, _ := strings.Cut(part, ";")
		switch strings.TrimSpace(name) {
		case "application/json", "application/*", "*/*":
			return "application/json"
		case proto + "@v1.0+protobuf", proto + ".v1.0+protobuf": // the first is the name of old
			return proto + ".v1.0+protobuf"
		}
	}
	return ""
}
