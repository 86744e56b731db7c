package endpoints

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"slices"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
)

// servePatch applies a patch inside of the write, so that a client never has
// to repeat one because another write came in between.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go PatchResource
func servePatch(s *Scope, w http.ResponseWriter, req *http.Request) error {
	row, err := s.findPatch(req)
	if err != nil {
		return err
	}
	a, err := s.negotiate(req, false)
	if err != nil {
		return err
	}
	body, err := readBody(w, req)
	if err != nil {
		return err
	}
	var errs field.Errors
	if !row.CreateMissing && req.URL.Query().Has("force") {
		errs = append(errs, field.Forbidden("force", "may not be specified for non-apply patch"))
	}
	write, err := writeOptions(req, errs...)
	if err != nil {
		return err
	}
	if !row.CreateMissing && !json.Valid(body) {
		return status.BadRequest("invalid JSON patch")
	}
	write.CreateMissing, write.Complaints = row.CreateMissing, object.Duplicates(body)
	write.Tree = func(live *object.Encoded) (map[string]any, error) { return s.patched(row, body, live, key(req).Name) }
	write.Unfit = func(live *object.Encoded, why error) error {
		tree, err := row.patched(s, body, live)
		if err != nil {
			return err
		}
		return row.unfit(body, tree, why)
	}
	return s.update(w, req, a, write)
}

// findPatch finds the row of the body's media type.
func (s *Scope) findPatch(req *http.Request) (Patch, error) {
	mediaType, _, _ := mime.ParseMediaType(req.Header.Get("Content-Type")) // "" is not in the table
	i := slices.IndexFunc(s.Patches, func(p Patch) bool { return p.MediaType == mediaType })
	if i < 0 {
		return Patch{}, status.New(http.StatusUnsupportedMediaType, "UnsupportedMediaType", "415: Unsupported Media Type", &status.Details{})
	}
	return s.Patches[i], nil
}

// patched is the object that a patch wants, checked to be of the path's kind.
func (s *Scope) patched(row Patch, body []byte, live *object.Encoded, name string) (map[string]any, error) {
	if live == nil && !row.CreateMissing {
		return nil, status.NotFound(s.statusResource(), name)
	}
	tree, err := row.patched(s, body, live)
	if err != nil {
		return nil, err
	}
	if row.Typed {
		tree["apiVersion"], tree["kind"] = s.Storage.Kind()
		return tree, nil
	}
	apiVersion, _ := tree["apiVersion"].(string)
	kind, _ := tree["kind"].(string)
	if err := s.checkKind(apiVersion, kind); err != nil {
		return nil, row.unfit(body, tree, err)
	}
	return tree, nil
}

func (p Patch) unfit(body []byte, tree map[string]any, why error) error {
	if _, told := errors.AsType[*status.Status](why); told || p.Unfit == nil {
		return why
	}
	return p.Unfit(body, tree, why)
}

func (p Patch) patched(s *Scope, body []byte, live *object.Encoded) (map[string]any, error) {
	var tree map[string]any
	if live != nil {
		var err error
		if tree, _, err = object.Parse(live.JSON()); err != nil {
			return nil, err
		}
	}
	var schema any
	if known, ok := s.Storage.(interface{ Schema() registry.Schema }); ok {
		schema = known.Schema()
	}
	return p.Apply(tree, body, schema)
}
