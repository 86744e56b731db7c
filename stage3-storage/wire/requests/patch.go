package requests

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
)

// patchType is the row of the body's media type.
func (d Decoder) patchType(req *http.Request) (negotiation.Patch, error) {
	mediaType, _, _ := mime.ParseMediaType(req.Header.Get("Content-Type")) // "" is not in the table
	i := slices.IndexFunc(d.Patches, func(p negotiation.Patch) bool { return p.MediaType == mediaType })
	if i >= 0 {
		return d.Patches[i], nil
	}
	message := "415: Unsupported Media Type"
	if strings.HasPrefix(mediaType, "application/apply-patch+") {
		message = "server-side apply is not here; send a merge patch, a strategic merge patch or a JSON patch"
	}
	return negotiation.Patch{}, status.New(http.StatusUnsupportedMediaType, "UnsupportedMediaType", message, &status.Details{})
}

// Patch is part of endpoints.Decoder. The write that it returns applies the
// patch to whatever is there when it is made.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go PatchResource
func (d Decoder) Patch(s *endpoints.Scope, w http.ResponseWriter, req *http.Request) (rest.Write, error) {
	row, err := d.patchType(req)
	if err != nil {
		return rest.Write{}, err
	}
	body, err := readBody(w, req)
	if err != nil {
		return rest.Write{}, err
	}
	var errs field.Errors
	if !row.CreateMissing && req.URL.Query().Has("force") {
		errs = append(errs, field.Forbidden("force", "may not be specified for non-apply patch"))
	}
	write, validation, err := writeOptions(req, errs...)
	if err != nil {
		return write, err
	}
	if !row.CreateMissing && !json.Valid(body) {
		return write, status.BadRequest("invalid JSON patch")
	}
	name := request.InfoFrom(req.Context()).Name
	write.CreateMissing = row.CreateMissing
	wanted := wish{validation: validation, complaints: duplicatesOf(body)}
	wanted.tree = func(live *object.Encoded) (map[string]any, error) {
		tree, err := d.patched(s, row, body, live, name)
		withoutTwins(req.Context(), tree)
		return tree, err
	}
	wanted.unfit = func(live *object.Encoded, why error) error {
		tree, err := applied(s, row, body, live)
		if err != nil {
			return err
		}
		return unfitPatch(row, body, tree, why)
	}
	write.Wanted = wanted.wanted
	return write, nil
}

// patched is the object that a patch wants, checked to be of the path's kind.
func (d Decoder) patched(s *endpoints.Scope, row negotiation.Patch, body []byte, live *object.Encoded, name string) (map[string]any, error) {
	if live == nil && !row.CreateMissing {
		return nil, status.NotFound(s.Resource.Named(), name)
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
	if err := d.checkKind(s, apiVersion, kind); err != nil {
		return nil, unfitPatch(row, body, tree, err)
	}
	return tree, nil
}

func unfitPatch(p negotiation.Patch, body []byte, tree map[string]any, why error) error {
	if _, told := errors.AsType[*status.Status](why); told || p.Unfit == nil {
		return why
	}
	return p.Unfit(body, tree, why)
}

func applied(s *endpoints.Scope, p negotiation.Patch, body []byte, live *object.Encoded) (map[string]any, error) {
	var tree map[string]any
	if live != nil {
		present, err := live.Object() // which the write asks for as well: it is decoded once
		if err != nil {
			return nil, err
		}
		tree = present.DeepCopy().Tree()
	}
	var schema any
	if known, ok := s.Storage.(interface{ Schema() registry.Schema }); ok {
		schema = known.Schema()
	}
	return p.Apply(tree, body, schema)
}
