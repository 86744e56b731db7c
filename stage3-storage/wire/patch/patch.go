package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
)

// maxOperations is how many operations a JSON patch may have, as upstream.
const maxOperations = 10000

// JSON applies a JSON patch (RFC 6902).
func JSON(live map[string]any, body []byte, _ Schema) (map[string]any, error) {
	p, err := jsonpatch.DecodePatch(body)
	if err != nil {
		return nil, status.BadRequest("error decoding patch: %v", err)
	}
	if len(p) > maxOperations {
		return nil, status.New(413, "RequestEntityTooLarge", fmt.Sprintf("Request entity too large: The allowed maximum operations in a JSON patch is %d, got %d", maxOperations, len(p)), &status.Details{})
	}
	before, err := json.Marshal(live)
	if err != nil {
		return nil, err
	}
	options := jsonpatch.NewApplyOptions()
	options.AllowMissingPathOnRemove = false
	after, err := p.ApplyWithOptions(before, options)
	if err != nil {
		return nil, status.New(422, "Invalid", fmt.Sprintf("the server rejected our request due to an error in our request: %v", err), &status.Details{})
	}
	tree, _, err := object.Parse(after)
	if err != nil {
		return nil, status.BadRequest("the patched object is not a JSON object: %v", err)
	}
	return tree, nil
}

// Merge applies a JSON merge patch (RFC 7386): what it has replaces, null removes.
func Merge(live map[string]any, body []byte, _ Schema) (map[string]any, error) {
	p, err := parse(body)
	if err != nil {
		return nil, err
	}
	return mergeMap(live, p), nil
}

func mergeMap(live, patch map[string]any) map[string]any {
	out := make(map[string]any, len(live)+len(patch))
	for k, v := range live {
		out[k] = v
	}
	for k, v := range patch {
		switch v := v.(type) {
		case nil:
			delete(out, k)
		case map[string]any:
			old, _ := out[k].(map[string]any)
			out[k] = mergeMap(old, v)
		default:
			out[k] = v
		}
	}
	return out
}

// parse reads a patch that is an object.
func parse(body []byte) (map[string]any, error) {
	tree, _, err := object.Parse(body)
	if err == nil {
		return tree, nil
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok || len(bytes.TrimSpace(body)) == 0 {
		return nil, status.BadRequest("error decoding patch: %v", err)
	}
	return nil, status.BadRequest("json: cannot unmarshal into Go value of type map[string]interface {}: %v", err)
}

func invalid(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	return status.New(422, "Invalid", text, &status.Details{Causes: []status.Cause{{Reason: string(field.Invalid("", nil, "").Reason), Message: text}}})
}
