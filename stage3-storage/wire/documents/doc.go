// Package documents has what a server says of itself: discovery, OpenAPI, its
// version.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go PrepareRun
// Now: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go PrepareRun
// Reading: reference
package documents
