package requests

import (
	"encoding/json"
	"errors"
	"net/http"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Patch is part of endpoints.Decoder. The write that it returns applies the
// patch to whatever is there when it is made.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go PatchResource
func (Decoder) Patch(s *endpoints.Scope, row endpoints.Patch, w http.ResponseWriter, req *http.Request) (rest.Write, error) {
	body, err := readBody(w, req)
	if err != nil {
		return rest.Write{}, err
	}
	var errs field.Errors
	if !row.CreateMissing && req.URL.Query().Has("force") {
		errs = append(errs, field.Forbidden("force", "may not be specified for non-apply patch"))
	}
	write, err := writeOptions(req, errs...)
	if err != nil {
		return write, err
	}
	if !row.CreateMissing && !json.Valid(body) {
		return write, status.BadRequest("invalid JSON patch")
	}
	name := request.InfoFrom(req.Context()).Name
	write.CreateMissing, write.Complaints = row.CreateMissing, duplicatesOf(body)
	write.Tree = func(live *object.Encoded) (map[string]any, error) {
		tree, err := patched(s, row, body, live, name)
		withoutTwins(req.Context(), tree)
		return tree, err
	}
	write.Unfit = func(live *object.Encoded, why error) error {
		tree, err := applied(s, row, body, live)
		if err != nil {
			return err
		}
		return unfitPatch(row, body, tree, why)
	}
	return write, nil
}

// patched is the object that a patch wants, checked to be of the path's kind.
func patched(s *endpoints.Scope, row endpoints.Patch, body []byte, live *object.Encoded, name string) (map[string]any, error) {
	if live == nil && !row.CreateMissing {
		return nil, status.NotFound(status.Resource{Group: s.Resource.Group, Name: s.Resource.Name}, name)
	}
	tree, err := applied(s, row, body, live)
	if err != nil {
		return nil, err
	}
	if row.Typed {
		tree["apiVersion"], tree["kind"] = s.Storage.Kind()
		return tree, nil
	}
	apiVersion, _ := tree["apiVersion"].(string)
	kind, _ := tree["kind"].(string)
	if err := checkKind(s, apiVersion, kind); err != nil {
		return nil, unfitPatch(row, body, tree, err)
	}
	return tree, nil
}

func unfitPatch(p endpoints.Patch, body []byte, tree map[string]any, why error) error {
	if _, told := errors.AsType[*status.Status](why); told || p.Unfit == nil {
		return why
	}
	return p.Unfit(body, tree, why)
}

func applied(s *endpoints.Scope, p endpoints.Patch, body []byte, live *object.Encoded) (map[string]any, error) {
	var tree map[string]any
	if live != nil {
		var err error
		if tree, err = object.Parse(live.JSON()); err != nil {
			return nil, err
		}
	}
	var schema any
	if known, ok := s.Storage.(interface{ Schema() registry.Schema }); ok {
		schema = known.Schema()
	}
	return p.Apply(tree, body, schema)
}
