package tables

import (
	"errors"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"sigs.k8s.io/yaml"
)

// Formats are the media types of bodies, in the order in which an error names
// them. JSON is first: whoever does not say what he wants gets it.
var Formats = FormatsOf(builtin.Own())

// FormatsOf are the same with more kinds that have a protobuf form.
func FormatsOf(known *builtin.Kinds) []negotiation.Format {
	return []negotiation.Format{
		{MediaType: "application/json", Streams: true},
		{MediaType: "application/yaml", Decode: yamlToJSON, Strict: strictYAML, Encode: yaml.JSONToYAML},
		{MediaType: "application/vnd.kubernetes.protobuf", Streams: true, Binary: true, Frame: builtin.Frame,
			Decode: func(body []byte) ([]byte, error) {
				json, _, _, err := known.DecodeProtobuf(body)
				return json, err
			},
			Encode: func(json []byte) ([]byte, error) { return toProtobuf(known, json) },
		},
	}
}

func yamlToJSON(body []byte) ([]byte, error) { return yaml.YAMLToJSON(body) }

// strictYAML finds keys that stand twice: in JSON they are gone.
func strictYAML(body []byte) error {
	_, err := yaml.YAMLToJSONStrict(body)
	return err
}

func toProtobuf(known *builtin.Kinds, json []byte) ([]byte, error) {
	tree, err := object.Parse(json)
	if err != nil {
		return nil, err
	}
	apiVersion, _ := tree["apiVersion"].(string)
	kind, _ := tree["kind"].(string)
	body, err := known.EncodeProtobuf(apiVersion, kind, json)
	if errors.Is(err, builtin.ErrNoKind) {
		return nil, negotiation.ErrNotEncodable
	}
	return body, err
}
