// Package openapi describes a server to its clients: an index of group
// versions, and for each of them a document with its paths and the structure
// of its kinds; and all of it once more in one document of the older version
// 2. kubectl reads these for explain, to see that the server checks fields, and
// to merge lists. Every document has a binary form as well.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/server/routes/openapi.go OpenAPI
// Now: vendor/k8s.io/kube-openapi/pkg/handler3/handler.go OpenAPIService
// Differs: 1.7 serves one document in version 2 of OpenAPI; clients of today ask for version 3, in one document for each group version.
// Differs: the values of an enumeration are listed without what upstream says about each.
// Simplified: bodies are said to be JSON; paths of proxies and the old watch paths are left out.
// Reading: reference
package openapi
