package endpoints

import (
	"mime"
	"net/http"
	"slices"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Verbs is the table of this stage: what a storage must implement to be
// reached by which method. The lower half is for storages that take over the
// whole connection. Stage 4 appends watch.
var Verbs = []Verb{
	{"get", http.MethodGet, Item, implements[rest.Getter], serveGet},
	{"list", http.MethodGet, Collection, implements[rest.Lister], serveList},
	{"create", http.MethodPost, Collection, implements[rest.Creater], serveCreate},
	{"update", http.MethodPut, Item, implements[rest.Updater], serveUpdate},
	{"patch", http.MethodPatch, Item, patchable, servePatch},
	{"delete", http.MethodDelete, Item, implements[rest.Deleter], serveDelete},
	{"deletecollection", http.MethodDelete, Collection, collectionDeletable, serveDeleteCollection},

	{"get", http.MethodGet, Item, connects(http.MethodGet), serveConnect},
	{"create", http.MethodPost, Item, connects(http.MethodPost), serveConnect},
	{"update", http.MethodPut, Item, connects(http.MethodPut), serveConnect},
	{"patch", http.MethodPatch, Item, connects(http.MethodPatch), serveConnect},
	{"delete", http.MethodDelete, Item, connects(http.MethodDelete), serveConnect},
	{"", http.MethodHead, Item, connects(http.MethodHead), serveConnect}, // no verb of the API
	{"", http.MethodOptions, Item, connects(http.MethodOptions), serveConnect},
}

func implements[Ability any](s rest.Storage) bool {
	_, ok := s.(Ability)
	return ok
}

func patchable(s rest.Storage) bool { return implements[rest.Getter](s) && implements[rest.Updater](s) }

// collectionDeletable: a kind whose deletion does more than removing an object,
// such as namespaces, does not offer it.
func collectionDeletable(s rest.Storage) bool {
	kind, ok := s.(interface{ OneByOne() bool })
	return implements[rest.CollectionDeleter](s) && !(ok && kind.OneByOne())
}

func serveGet(s *Scope, w http.ResponseWriter, req *http.Request) error {
	a, err := s.Encoder.Negotiate(s, req, Object)
	if err != nil {
		return err
	}
	obj, err := s.Storage.(rest.Getter).Get(req.Context(), key(req), rest.GetOptions{ResourceVersion: req.URL.Query().Get("resourceVersion")})
	if err != nil {
		return err
	}
	return s.Encoder.Object(s, w, req, a, http.StatusOK, obj)
}

func serveList(s *Scope, w http.ResponseWriter, req *http.Request) error {
	if request.InfoFrom(req.Context()).Verb == "watch" {
		return s.serveWatch(w, req)
	}
	a, err := s.Encoder.Negotiate(s, req, List)
	if err != nil {
		return err
	}
	opts, err := s.Decoder.ListOptions(s, req)
	if err != nil {
		return err
	}
	list, err := s.Storage.(rest.Lister).List(req.Context(), namespace(req), opts)
	if err != nil {
		return err
	}
	return s.Encoder.List(s, w, req, a, list)
}

// serveWatch finds the row of the verb watch: it shares path and method with list.
func (s *Scope) serveWatch(w http.ResponseWriter, req *http.Request) error {
	i := slices.IndexFunc(s.Verbs, func(v Verb) bool { return v.Name == "watch" })
	if i < 0 {
		return status.New(http.StatusMethodNotAllowed, "MethodNotAllowed", "watch is not here yet: stage 4 brings it", &status.Details{})
	}
	if !s.Verbs[i].Able(s.Storage) {
		return status.MethodNotAllowed(s.statusResource(), "watch")
	}
	return s.Verbs[i].Serve(s, w, req)
}

func serveCreate(s *Scope, w http.ResponseWriter, req *http.Request) error {
	a, err := s.Encoder.Negotiate(s, req, Object)
	if err != nil {
		return err
	}
	write, err := s.Decoder.Object(s, w, req)
	if err != nil {
		return err
	}
	// The key has a name only where the path is a subresource.
	obj, err := s.Storage.(rest.Creater).Create(req.Context(), key(req), write)
	if err != nil {
		return err
	}
	return s.Encoder.Object(s, w, req, a, http.StatusCreated, obj)
}

func serveUpdate(s *Scope, w http.ResponseWriter, req *http.Request) error {
	a, err := s.Encoder.Negotiate(s, req, Object)
	if err != nil {
		return err
	}
	write, err := s.Decoder.Object(s, w, req)
	if err != nil {
		return err
	}
	return s.update(w, req, a, write)
}

// servePatch applies a patch inside of the write, so that a client never has
// to repeat one because another write came in between.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go PatchResource
func servePatch(s *Scope, w http.ResponseWriter, req *http.Request) error {
	mediaType, _, _ := mime.ParseMediaType(req.Header.Get("Content-Type")) // "" is not in the table
	i := slices.IndexFunc(s.Patches, func(p Patch) bool { return p.MediaType == mediaType })
	if i < 0 {
		return status.New(http.StatusUnsupportedMediaType, "UnsupportedMediaType", "415: Unsupported Media Type", &status.Details{})
	}
	a, err := s.Encoder.Negotiate(s, req, Object)
	if err != nil {
		return err
	}
	write, err := s.Decoder.Patch(s, s.Patches[i], w, req)
	if err != nil {
		return err
	}
	return s.update(w, req, a, write)
}

func (s *Scope) update(w http.ResponseWriter, req *http.Request, a Answer, write rest.Write) error {
	obj, created, err := s.Storage.(rest.Updater).Update(req.Context(), key(req), write)
	if err != nil {
		return err
	}
	code := http.StatusOK
	if created {
		code = http.StatusCreated
	}
	return s.Encoder.Object(s, w, req, a, code, obj)
}

func serveDelete(s *Scope, w http.ResponseWriter, req *http.Request) error {
	a, err := s.Encoder.Negotiate(s, req, Object)
	if err != nil {
		return err
	}
	opts, err := s.Decoder.DeleteOptions(s, w, req)
	if err != nil {
		return err
	}
	obj, gone, err := s.Storage.(rest.Deleter).Delete(req.Context(), key(req), opts)
	if err != nil {
		return err
	}
	if full, ok := s.Storage.(interface{ DeletedIsReturned() bool }); !gone || ok && full.DeletedIsReturned() {
		return s.Encoder.Object(s, w, req, a, http.StatusOK, obj)
	}
	deleted, err := obj.Object()
	if err != nil {
		return err
	}
	return s.Encoder.Status(s, w, req, a, status.Success(&status.Details{
		Name: deleted.Meta.Name, Group: s.Resource.Group, Kind: s.Resource.Name, UID: deleted.Meta.UID,
	}))
}

func serveDeleteCollection(s *Scope, w http.ResponseWriter, req *http.Request) error {
	a, err := s.Encoder.Negotiate(s, req, List)
	if err != nil {
		return err
	}
	which, err := s.Decoder.ListOptions(s, req)
	if err != nil {
		return err
	}
	opts, err := s.Decoder.DeleteOptions(s, w, req)
	if err != nil {
		return err
	}
	list, err := s.Storage.(rest.CollectionDeleter).DeleteCollection(req.Context(), namespace(req), opts, which)
	if err != nil {
		return err
	}
	return s.Encoder.List(s, w, req, a, list)
}
