package openapi

import (
	"maps"
	"slices"
	"strings"

	v2 "github.com/google/gnostic-models/openapiv2"
	v3 "github.com/google/gnostic-models/openapiv3"
	"google.golang.org/protobuf/proto"
)

// v2 is one document in version 2 of OpenAPI for all groups. It is made of
// those in version 3, which say the same in other places.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/openapi/openapi.go BuildSwaggerSpec
func (h *Handler) v2(groups map[string][]Resource) any {
	paths, definitions := node{}, node{}
	for _, path := range slices.Sorted(maps.Keys(groups)) {
		doc := h.groupVersion(path, groups[path]).(node)
		for path, item := range doc["paths"].(node) {
			paths[path] = pathV2(item.(node))
		}
		for name, s := range doc["components"].(node)["schemas"].(components) {
			definitions[name] = schemaV2(s)
		}
	}
	return node{
		"swagger":             "2.0",
		"info":                node{"title": "Kubernetes", "version": h.info.Version},
		"paths":               paths,
		"definitions":         definitions,
		"securityDefinitions": node{"BearerToken": node{"type": "apiKey", "in": "header", "name": "authorization", "description": "Bearer Token authentication"}},
		"security":            []node{{"BearerToken": []string{}}},
	}
}

func pathV2(item node) node {
	out := node{}
	for method, v := range item {
		if method == "parameters" {
			out[method] = parametersV2(v)
			continue
		}
		op := maps.Clone(v.(node))
		parameters := parametersV2(op["parameters"])
		if body, ok := op["requestBody"].(node); ok {
			content := body["content"].(node)
			op["consumes"] = slices.Sorted(maps.Keys(content))
			parameters = append(parameters, node{"name": "body", "in": "body", "required": body["required"] == true, "schema": contentV2(content)})
			delete(op, "requestBody")
		}
		if delete(op, "parameters"); len(parameters) > 0 {
			op["parameters"] = parameters
		}
		responses := node{}
		for code, r := range op["responses"].(node) {
			response := node{"description": r.(node)["description"]}
			if content, ok := r.(node)["content"].(node); ok {
				response["schema"] = contentV2(content)
			}
			responses[code] = response
		}
		op["responses"], op["produces"] = responses, []string{"application/json"}
		out[method] = op
	}
	return out
}

// parametersV2: in version 2 a parameter is its own schema.
func parametersV2(v any) []node {
	list, _ := v.([]node)
	var out []node
	for _, p := range list {
		flat := maps.Clone(p)
		maps.Copy(flat, p["schema"].(node))
		delete(flat, "schema")
		out = append(out, flat)
	}
	return out
}

// contentV2: all media types of a body have the same schema.
func contentV2(content node) node {
	for _, c := range content {
		return schemaV2(c.(node)["schema"].(node))
	}
	return node{}
}

// schemaV2: a reference may have company, and nothing is one of several things.
func schemaV2(s node) node {
	out := node{}
	for key, v := range s {
		switch v := v.(type) {
		case node:
			if key == "properties" {
				properties := node{}
				for name, p := range v {
					properties[name] = schemaV2(p.(node))
				}
				out[key] = properties
			} else {
				out[key] = schemaV2(v)
			}
		case []node:
			switch key {
			case "allOf":
				maps.Copy(out, schemaV2(v[0]))
			case "oneOf":
				out["type"] = "string"
			default:
				out[key] = v
			}
		case string:
			out[key] = v
			if key == "$ref" {
				out[key] = strings.Replace(v, "#/components/schemas/", "#/definitions/", 1)
			}
		default:
			out[key] = v
		}
	}
	if out["$ref"] != nil {
		delete(out, "default") // of a reference: {}
	}
	return out
}

// protoV2 and protoV3 are the binary forms of a document.
func protoV2(json []byte) ([]byte, error) {
	doc, err := v2.ParseDocument(json)
	if err != nil {
		return nil, err
	}
	return proto.Marshal(doc)
}

func protoV3(json []byte) ([]byte, error) {
	doc, err := v3.ParseDocument(json)
	if err != nil {
		return nil, err
	}
	return proto.Marshal(doc)
}
