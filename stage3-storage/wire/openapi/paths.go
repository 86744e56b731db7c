package openapi

import (
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// operation is a row: a verb as a document shows it.
type operation struct {
	verb, method, action, id string
	item                     bool // works on one object
	query                    []string
	codes                    []string
}

var (
	writeQuery = []string{"dryRun", "fieldManager", "fieldValidation"}
	listQuery  = []string{"allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "resourceVersion", "resourceVersionMatch", "sendInitialEvents", "timeoutSeconds", "watch"}
	endQuery   = []string{"dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"}
)

var operations = []operation{
	{"list", "get", "list", "list", false, listQuery, []string{"200"}},
	{"create", "post", "post", "create", false, writeQuery, []string{"200", "201", "202"}},
	{"deletecollection", "delete", "deletecollection", "deleteCollection", false, slices.Concat(listQuery, endQuery), []string{"200"}},
	{"get", "get", "get", "read", true, nil, []string{"200"}},
	{"update", "put", "put", "replace", true, writeQuery, []string{"200", "201"}},
	{"patch", "patch", "patch", "patch", true, append(writeQuery[:3:3], "force"), []string{"200", "201"}},
	{"delete", "delete", "delete", "delete", true, endQuery, []string{"200", "202"}},
}

// queryTypes are the types of parameters that are no strings.
var queryTypes = map[string]string{
	"allowWatchBookmarks": "boolean", "force": "boolean", "gracePeriodSeconds": "integer", "limit": "integer",
	"orphanDependents": "boolean", "sendInitialEvents": "boolean", "timeoutSeconds": "integer", "watch": "boolean",
}

var patchTypes = []string{"application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"}

const strategicPatch = "application/strategic-merge-patch+json"

// byGroupVersion sorts rows into documents.
func byGroupVersion(rows []Resource) map[string][]Resource {
	m := map[string][]Resource{}
	for _, r := range rows {
		path := "apis/" + r.Group + "/" + r.Version
		if r.Group == "" {
			path = "api/" + r.Version
		}
		m[path] = append(m[path], r)
	}
	return m
}

// plainPaths are the documents of paths that have no resources: discovery of
// the server and of its groups, and those given.
func plainPaths(given []string, byPath map[string]*document) []string {
	paths := slices.Clone(given)
	for path := range byPath {
		parts := strings.Split(path, "/")
		paths = append(paths, parts[0])
		if len(parts) == 3 {
			paths = append(paths, parts[0]+"/"+parts[1])
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// maker makes one document.
type maker struct {
	paths   node
	schemas components
	info    Info
}

func (h *Handler) groupVersion(path string, rows []Resource) any {
	m := maker{node{}, components{}, h.info}
	m.paths["/"+path+"/"] = node{"get": node{"responses": m.responses([]string{"200"}, nil)}}
	for _, r := range rows {
		m.resource("/"+path, r)
	}
	return m.document()
}

func (h *Handler) plain(path string) any {
	m := maker{node{}, components{}, h.info}
	m.paths["/"+path+"/"] = node{"get": node{"responses": m.responses([]string{"200"}, nil)}}
	return m.document()
}

func (m *maker) document() any {
	return node{
		"openapi": "3.0.0",
		"info":    node{"title": "Kubernetes", "version": m.info.Version},
		"paths":   m.paths,
		"components": node{
			"schemas":         m.schemas,
			"securitySchemes": node{"BearerToken": node{"type": "apiKey", "in": "header", "name": "authorization"}},
		},
		"security": []node{{"BearerToken": []string{}}},
	}
}

// target is what an operation sends and answers.
type target struct {
	resource             catalog.Resource
	group, version, kind string
	schema, list         *schema.Schema
	suffix               string // of operation ids: "Status"
}

func (m *maker) resource(prefix string, r Resource) {
	t := target{r.Resource, r.Group, r.Version, r.Kind, r.Schema, r.List, ""}
	collection, parameters := prefix+"/"+r.Name, []node{}
	if r.Namespaced {
		if slices.Contains(r.Verbs, "list") {
			all := t
			all.resource.Namespaced, all.suffix = false, "ForAllNamespaces"
			m.path(collection, parameters, all, false, []string{"list"})
		}
		collection = prefix + "/namespaces/{namespace}/" + r.Name
		parameters = append(parameters, parameter("namespace", "path", "string"))
	}
	m.path(collection, parameters, t, false, r.Verbs)
	item, parameters := collection+"/{name}", append(parameters, parameter("name", "path", "string"))
	m.path(item, parameters, t, true, r.Verbs)
	for _, s := range r.Subresources {
		sub := target{r.Resource, s.Group, s.Version, s.Kind, s.Schema, nil, camel(s.Name)}
		m.path(item+"/"+s.Name, parameters, sub, true, s.Verbs)
		if slices.Contains(s.Verbs, "create") { // below an object POST is on one object too
			m.paths[item+"/"+s.Name].(node)["post"] = m.operation(operations[1], sub)
		}
	}
}

// path puts in the operations of one path, if there are any.
func (m *maker) path(path string, parameters []node, t target, item bool, verbs []string) {
	n := node{}
	for _, op := range operations {
		if op.item == item && slices.Contains(verbs, op.verb) {
			n[op.method] = m.operation(op, t)
		}
	}
	if len(n) > 0 || item {
		n["parameters"] = append(parameters[:len(parameters):len(parameters)], parameter("pretty", "query", "string"))
		m.paths[path] = n
	}
}

func (m *maker) operation(op operation, t target) node {
	kind := m.schemas.kind(t.schema, t.group, t.version, t.kind)
	answer, n := kind, node{
		"operationId":                     op.id + camel(groupName(t.resource)) + camel(t.resource.Version) + scope(t.resource) + t.resource.Kind + t.suffix,
		"tags":                            []string{groupName(t.resource) + "_" + t.resource.Version},
		"x-kubernetes-action":             op.action,
		"x-kubernetes-group-version-kind": gvk(t.group, t.version, t.kind),
	}
	switch op.verb {
	case "list":
		answer = m.schemas.kind(t.list, t.group, t.version, t.kind+"List")
	case "create", "update":
		n["requestBody"] = node{"required": true, "content": jsonContent(kind)}
	case "patch":
		n["requestBody"] = node{"required": true, "content": patchContent(t.schema)}
	case "delete", "deletecollection":
		answer = m.common(m.info.Status, "Status")
		n["requestBody"] = node{"content": jsonContent(m.common(m.info.DeleteOptions, "DeleteOptions"))}
	}
	var parameters []node
	for _, name := range op.query {
		typ := queryTypes[name]
		if typ == "" {
			typ = "string"
		}
		parameters = append(parameters, parameter(name, "query", typ))
	}
	if parameters != nil {
		n["parameters"] = parameters
	}
	n["responses"] = m.responses(op.codes, answer)
	return n
}

func (m *maker) common(s *schema.Schema, kind string) node { return m.schemas.kind(s, "", "v1", kind) }

func (m *maker) responses(codes []string, answer node) node {
	texts := map[string]string{"200": "OK", "201": "Created", "202": "Accepted"}
	n := node{"401": node{"description": "Unauthorized"}}
	for _, code := range codes {
		r := node{"description": texts[code]}
		if answer != nil {
			r["content"] = jsonContent(answer)
		}
		n[code] = r
	}
	return n
}

func jsonContent(s node) node { return node{"application/json": node{"schema": s}} }

// patchContent has a strategic merge patch only where merge keys are known.
func patchContent(s *schema.Schema) node {
	types := slices.Clone(patchTypes)
	if s != nil && !s.Loose {
		types = append(types, strategicPatch)
	}
	n := node{}
	for _, t := range types {
		n[t] = node{"schema": node{"type": "object"}}
	}
	return n
}

func parameter(name, in, typ string) node {
	n := node{"name": name, "in": in, "schema": node{"type": typ, "uniqueItems": true}}
	if in == "path" {
		n["required"] = true
	}
	return n
}

// groupName is the group as operation ids and tags have it: core, apps.
func groupName(r catalog.Resource) string {
	name, _, _ := strings.Cut(r.Group, ".")
	if name == "" {
		return "core"
	}
	return name
}

func scope(r catalog.Resource) string {
	if r.Namespaced {
		return "Namespaced"
	}
	return ""
}

func camel(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
