// Package openapi describes a server to its clients: an index of group
// versions, and for each of them a document with its paths and the structure
// of its kinds. kubectl reads these for explain, to see that the server
// checks fields, and to merge lists.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/server/routes/openapi.go OpenAPI
// Now: vendor/k8s.io/kube-openapi/pkg/handler3/handler.go OpenAPIService
// Differs: 1.7 serves one document in version 2 of OpenAPI; these are in version 3, one for each group version, as clients of today ask for them.
// Differs: the values of an enumeration are listed without what upstream says about each.
// Simplified: only JSON bodies and no protobuf form of the documents; paths of proxies and the old watch paths are left out.
// Reading: reference
package openapi
