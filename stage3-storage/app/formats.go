package app

import (
	"errors"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"sigs.k8s.io/yaml"
)

// Formats are the media types of bodies, in the order in which an error names
// them. JSON is first: whoever does not say what he wants gets it.
var Formats = []endpoints.Format{
	{MediaType: "application/json", ForStatus: true},
	{MediaType: "application/yaml", ForStatus: true, Decode: yaml.YAMLToJSONStrict, Encode: yaml.JSONToYAML},
	{MediaType: "application/vnd.kubernetes.protobuf", ForStatus: true, Decode: fromProtobuf, Encode: toProtobuf},
}

func fromProtobuf(body []byte) ([]byte, error) {
	json, _, _, err := builtin.DecodeProtobuf(body)
	return json, err
}

func toProtobuf(json []byte) ([]byte, error) {
	tree, _, err := object.Parse(json)
	if err != nil {
		return nil, err
	}
	apiVersion, _ := tree["apiVersion"].(string)
	kind, _ := tree["kind"].(string)
	body, err := builtin.EncodeProtobuf(apiVersion, kind, json)
	if errors.Is(err, builtin.ErrNoKind) {
		return nil, endpoints.ErrNotEncodable
	}
	return body, err
}
