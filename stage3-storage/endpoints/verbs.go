package endpoints

import (
	"net/http"
	"slices"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Verbs is the table of this stage: what a storage must implement to be
// reached by which method. The app appends those of connections and of whole
// collections, stage 4 watch.
var Verbs = []Verb{
	{"get", http.MethodGet, Item, implements[rest.Getter], withObject(serveGet)},
	{"list", http.MethodGet, Collection, implements[rest.Lister], serveList},
	{"create", http.MethodPost, Collection, implements[rest.Creater], withObject(serveCreate)},
	{"update", http.MethodPut, Item, implements[rest.Updater], withObject(serveUpdate)},
	{"patch", http.MethodPatch, Item, patchable, withObject(servePatch)},
	{"delete", http.MethodDelete, Item, implements[rest.Deleter], serveDelete},
}

func implements[Ability any](s rest.Storage) bool {
	_, ok := s.(Ability)
	return ok
}

func patchable(s rest.Storage) bool { return implements[rest.Getter](s) && implements[rest.Updater](s) }

// withObject is the handler of what answers with an object. The form of the answer
// is found first: who cannot read it must not have changed anything.
func withObject(serve func(s *Scope, w http.ResponseWriter, req *http.Request) (code int, obj *object.Encoded, err error)) Handler {
	return func(s *Scope, w http.ResponseWriter, req *http.Request) error {
		a, err := s.Encoder.Negotiate(s, w, req, Object)
		if err != nil {
			return err
		}
		code, obj, err := serve(s, w, req)
		if err != nil {
			return err
		}
		return a.Object(code, obj)
	}
}

func serveGet(s *Scope, _ http.ResponseWriter, req *http.Request) (int, *object.Encoded, error) {
	opts, err := s.Decoder.GetOptions(req)
	if err != nil {
		return 0, nil, err
	}
	obj, err := s.Storage.(rest.Getter).Get(req.Context(), Key(req), opts)
	return http.StatusOK, obj, err
}

func serveCreate(s *Scope, w http.ResponseWriter, req *http.Request) (int, *object.Encoded, error) {
	write, err := s.Decoder.Object(s, w, req)
	if err != nil {
		return 0, nil, err
	}
	// The key has a name only where the path is a subresource.
	obj, err := s.Storage.(rest.Creater).Create(req.Context(), Key(req), write)
	return http.StatusCreated, obj, err
}

func serveUpdate(s *Scope, w http.ResponseWriter, req *http.Request) (int, *object.Encoded, error) {
	write, err := s.Decoder.Object(s, w, req)
	if err != nil {
		return 0, nil, err
	}
	return s.update(req, write)
}

func (s *Scope) update(req *http.Request, write rest.Write) (int, *object.Encoded, error) {
	obj, created, err := s.Storage.(rest.Updater).Update(req.Context(), Key(req), write)
	if created {
		return http.StatusCreated, obj, err
	}
	return http.StatusOK, obj, err
}

// servePatch applies a patch inside of the write, so that a client never has
// to repeat one because another write came in between.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go PatchResource
func servePatch(s *Scope, w http.ResponseWriter, req *http.Request) (int, *object.Encoded, error) {
	write, err := s.Decoder.Patch(s, w, req)
	if err != nil {
		return 0, nil, err
	}
	return s.update(req, write)
}

func serveList(s *Scope, w http.ResponseWriter, req *http.Request) error {
	if request.InfoFrom(req.Context()).Verb == "watch" {
		return s.serveWatch(w, req)
	}
	a, err := s.Encoder.Negotiate(s, w, req, List)
	if err != nil {
		return err
	}
	opts, err := s.Decoder.ListOptions(s, req)
	if err != nil {
		return err
	}
	list, err := s.Storage.(rest.Lister).List(req.Context(), Key(req).Namespace, opts)
	if err != nil {
		return err
	}
	return a.List(list)
}

// serveWatch finds the row of the verb watch: it shares path and method with list.
func (s *Scope) serveWatch(w http.ResponseWriter, req *http.Request) error {
	i := slices.IndexFunc(s.Verbs, func(v Verb) bool { return v.Name == "watch" })
	if i < 0 {
		return status.New(http.StatusMethodNotAllowed, "MethodNotAllowed", "watch is not here yet: stage 4 brings it", &status.Details{})
	}
	if !s.Verbs[i].Able(s.Storage) {
		return status.MethodNotAllowed(s.Resource.Named(), "watch")
	}
	return s.Verbs[i].Serve(s, w, req)
}

func serveDelete(s *Scope, w http.ResponseWriter, req *http.Request) error {
	a, err := s.Encoder.Negotiate(s, w, req, Object)
	if err != nil {
		return err
	}
	opts, err := s.Decoder.DeleteOptions(s, w, req)
	if err != nil {
		return err
	}
	obj, gone, err := s.Storage.(rest.Deleter).Delete(req.Context(), Key(req), opts)
	if err != nil {
		return err
	}
	if kind, ok := s.Storage.(interface{ Strategy() registry.Strategy }); !gone || ok && kind.Strategy().ReturnDeleted {
		return a.Object(http.StatusOK, obj)
	}
	deleted, err := obj.Meta()
	if err != nil {
		return err
	}
	return a.Status(status.Success(&status.Details{
		Name: deleted.Name, Group: s.Resource.Group, Kind: s.Resource.Name, UID: deleted.UID,
	}))
}
