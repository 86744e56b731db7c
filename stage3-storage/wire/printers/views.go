package printers

import (
	"encoding/json"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
)

// Views are the rows of the table of views. rows finds the columns of a
// resource; it is asked for every answer, so that kinds may come and go.
func Views(rows func(r catalog.Resource, subresource string) Row) []negotiation.View {
	return []negotiation.View{
		{As: "Table", Lists: true, Single: true, Text: true, Render: unlessStatus(func(r negotiation.ViewRequest) ([]byte, error) {
			return table(r, rows(r.Resource, r.Subresource))
		})},
		{As: "PartialObjectMetadata", Single: true, Render: unlessStatus(func(r negotiation.ViewRequest) ([]byte, error) {
			return partial(r.Items[0], r.Version)
		})},
		{As: "PartialObjectMetadataList", Lists: true, Render: partialList},
	}
}

// unlessStatus lets a Status pass as it is: it says how a request went, and no
// view shows that.
func unlessStatus(render func(negotiation.ViewRequest) ([]byte, error)) func(negotiation.ViewRequest) ([]byte, error) {
	return func(r negotiation.ViewRequest) ([]byte, error) {
		if r.List == nil && len(r.Items) == 1 {
			if obj, err := r.Items[0].Object(); err == nil && obj.Kind == "Status" && obj.APIVersion == "v1" {
				return r.Items[0].JSON(), nil
			}
		}
		return render(r)
	}
}

// partial is an object's metadata as an object of its own.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1alpha1/types.go PartialObjectMetadata
// Now: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go PartialObjectMetadata
func partial(item *object.Encoded, version string) ([]byte, error) {
	known, err := item.Meta()
	if err != nil {
		return nil, err
	}
	meta, err := json.Marshal(known)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/%s","metadata":%s}`, version, meta), nil
}

// partialList is a list of such. The items of an empty one are null, unlike
// those of all other lists; clients of upstream are used to that.
func partialList(r negotiation.ViewRequest) ([]byte, error) {
	list := struct {
		Kind       string               `json:"kind"`
		APIVersion string               `json:"apiVersion"`
		Metadata   negotiation.ListMeta `json:"metadata"`
		Items      []json.RawMessage    `json:"items"`
	}{Kind: "PartialObjectMetadataList", APIVersion: "meta.k8s.io/" + r.Version, Metadata: listMeta(r)}
	for _, item := range r.Items {
		body, err := partial(item, r.Version)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, body)
	}
	return json.Marshal(list)
}
