package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
)

// Unfit is the answer to a patch after which the object is none of its kind.
// It shows the object.
//
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go applyPatchToCurrentObject
func Unfit(_ []byte, wanted map[string]any, why error) error {
	return unfit(shown(wanted), why.Error())
}

// UnfitStrategic is Unfit of a strategic merge patch. It shows the patch, and
// has other words for a wrong type: upstream makes a structure of the tree
// without a detour over JSON.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go applyPatchToObject
func UnfitStrategic(body []byte, _ map[string]any, why error) error {
	text := why.Error()
	if mistyped, ok := errors.AsType[interface {
		error
		FromTree() string
	}](why); ok {
		text = mistyped.FromTree()
	}
	var patch map[string]any
	if err := decode(body, &patch); err != nil {
		return err
	}
	return unfit(fmt.Sprint(wholeNumbers(patch)), text)
}

func unfit(value, why string) error {
	return status.Invalid("", "", "", field.Errors{field.Invalid("patch", value, why)})
}

// shown is an object as upstream shows it: its metadata in their usual order.
func shown(tree map[string]any) string {
	top := maps.Clone(tree)
	if obj, err := object.FromTree(maps.Clone(tree)); err == nil {
		top["metadata"] = obj.Meta
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(top); err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
