// Package request carries what is known of a request from the first filter to
// the storage: what it is about, who sent it, and the warnings for the client.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go RequestInfo
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go RequestInfo
// Reading: core
package request
