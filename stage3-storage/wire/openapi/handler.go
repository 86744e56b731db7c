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
	"sync/atomic"
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

// Handler serves /openapi/v3 and what is below it. A document is made when it
// is first asked for.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/openapi/openapi_handler.go OpenAPIService
type Handler struct {
	info Info
	docs atomic.Pointer[documents]
}

// documents is one state of the server, by path: "api/v1", "apis/apps/v1".
type documents struct {
	byPath map[string]*document
	index  *document
}

// document is made at the first call of content.
type document struct {
	rows    []Resource
	made    time.Time
	content func() content
}

type content struct {
	json []byte
	hash string
}

// NewHandler returns a handler without resources.
func NewHandler(info Info) *Handler {
	h := &Handler{info: info}
	h.docs.Store(&documents{})
	h.Replace(nil)
	return h
}

// Replace sets the resources. Documents whose rows are what they were stay as
// they are. Calls must not overlap each other; requests may go on.
func (h *Handler) Replace(rows []Resource) {
	old, next := h.docs.Load(), &documents{byPath: map[string]*document{}}
	for path, rows := range byGroupVersion(rows) {
		doc := old.byPath[path]
		if doc == nil || !reflect.DeepEqual(doc.rows, rows) {
			doc = newDocument(rows, func() any { return h.groupVersion(path, rows) })
		}
		next.byPath[path] = doc
	}
	for _, path := range plainPaths(h.info.Paths, next.byPath) {
		if next.byPath[path] = old.byPath[path]; next.byPath[path] == nil {
			next.byPath[path] = newDocument(nil, func() any { return h.plain(path) })
		}
	}
	next.index = newDocument(nil, func() any { return next.list() })
	h.docs.Store(next)
}

func newDocument(rows []Resource, tree func() any) *document {
	return &document{rows, time.Now(), sync.OnceValue(func() content {
		data, err := json.Marshal(tree())
		if err != nil {
			panic("openapi: a document of maps and strings cannot be encoded: " + err.Error())
		}
		sum := sha256.Sum256(data)
		return content{data, hex.EncodeToString(sum[:])}
	})}
}

// list is the index. It needs the hash of every document, hence every document.
func (d *documents) list() any {
	paths := map[string]any{}
	for path, doc := range d.byPath {
		paths[path] = map[string]string{"serverRelativeURL": "/openapi/v3/" + path + "?hash=" + doc.content().hash}
	}
	return map[string]any{"paths": paths}
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	path := strings.Trim(strings.TrimPrefix(req.URL.Path, "/openapi/v3"), "/")
	docs, doc, mediaType := h.docs.Load(), (*document)(nil), "application/json"
	if doc = docs.byPath[path]; path == "" {
		doc, mediaType = docs.index, "text/plain; charset=utf-8" // so it is upstream
	}
	if doc == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	c := doc.content()
	header := w.Header()
	switch hash := req.URL.Query().Get("hash"); hash {
	case "":
		header.Set("Cache-Control", "no-cache, private")
	case c.hash: // these bytes will stay at this address for good
		header.Set("Cache-Control", "public, immutable")
		header.Set("Expires", time.Now().UTC().AddDate(1, 0, 0).Format(http.TimeFormat))
	default:
		http.Redirect(w, req, "/openapi/v3/"+path+"?hash="+c.hash, http.StatusMovedPermanently)
		return
	}
	header.Set("Content-Type", mediaType)
	header.Set("Etag", `"`+c.hash+`"`)
	header.Set("Vary", "Accept")
	http.ServeContent(w, req, "", doc.made, bytes.NewReader(c.json))
}
