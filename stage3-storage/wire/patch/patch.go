package patch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
)

// Func makes the wanted object of the live one. Only a strategic merge patch
// looks at the schema.
type Func func(live map[string]any, body []byte, schema Schema) (map[string]any, error)

// Types are the patch types by their media type.
var Types = []struct {
	MediaType string
	Apply     Func
}{
	{"application/json-patch+json", JSON},
	{"application/merge-patch+json", Merge},
	{"application/strategic-merge-patch+json", Strategic},
}

// What a JSON patch may ask for, as upstream. Without the second limit thirty
// copies of a value into itself would fill any memory.
const (
	maxOperations = 10000
	maxCopied     = 3 << 20 // bytes that all copies together add
)

// JSON applies a JSON patch (RFC 6902): a list of operations, all or none.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go patchObjectJSON
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go applyJSPatch
func JSON(live map[string]any, body []byte, _ Schema) (map[string]any, error) {
	if err := decode(body, new([]any)); err != nil {
		return nil, err
	}
	var operations []jsonpatch.Operation
	if err := json.Unmarshal(body, &operations); err != nil {
		return nil, status.BadRequest("%v", err)
	}
	if len(operations) > maxOperations {
		return nil, status.New(http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", fmt.Sprintf(
			"Request entity too large: The allowed maximum operations in a JSON patch is %d, got %d", maxOperations, len(operations)), nil)
	}
	var tree map[string]any
	after, err := operate(live, body)
	if err == nil {
		tree, err = object.Parse(after) // the operations may have put something else in the object's place
	}
	if err != nil { // clients are not told what it is
		return nil, invalid("the server rejected our request due to an error in our request")
	}
	return tree, nil
}

// operate leaves the bytes alone that the patch does not touch, so no digit of
// a number is lost. The library panics when it compares with a null inside of a
// list, or with nothing; a client must not be able to bring that about.
func operate(live map[string]any, body []byte) (after []byte, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("apply a JSON patch: %v", problem)
		}
	}()
	before, err := json.Marshal(live)
	if err != nil {
		return nil, err
	}
	operations, err := jsonpatch.DecodePatch(body)
	if err != nil {
		return nil, err
	}
	options := jsonpatch.NewApplyOptions()
	options.AccumulatedCopySizeLimit = maxCopied
	return operations.ApplyWithOptions(before, options)
}

// Merge applies a JSON merge patch (RFC 7386): what it has replaces, null removes.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go patchObjectJSON
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go applyJSPatch
func Merge(live map[string]any, body []byte, _ Schema) (map[string]any, error) {
	p, err := parse(body)
	if err != nil {
		return nil, err
	}
	return merge(live, p), nil
}

func merge(live, patch map[string]any) map[string]any {
	out := make(map[string]any, len(live)+len(patch))
	maps.Copy(out, live)
	for k, v := range patch {
		switch v := v.(type) {
		case nil:
			delete(out, k)
		case map[string]any:
			old, _ := out[k].(map[string]any)
			out[k] = merge(old, v)
		default:
			out[k] = v
		}
	}
	return out
}

func parse(body []byte) (map[string]any, error) {
	var patch map[string]any
	err := decode(body, &patch)
	if err == nil && patch == nil {
		err = status.BadRequest("Invalid JSON Patch")
	}
	return patch, err
}

func decode(body []byte, patch any) error {
	if !json.Valid(body) {
		return status.BadRequest("invalid JSON patch")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(patch); err != nil {
		return status.BadRequest("error decoding patch: %v", err)
	}
	return nil
}

func invalid(format string, args ...any) error {
	return status.New(http.StatusUnprocessableEntity, "Invalid", fmt.Sprintf(format, args...), &status.Details{})
}
