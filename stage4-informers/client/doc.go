// Package client is a small HTTP client of an API server: what informers and
// controllers use to talk to the server that they run in. They take no other
// way in, so whatever holds for clients holds for them.
//
// Article: A3.13
// Upstream: staging/src/k8s.io/client-go/rest/client.go RESTClient
// Now: staging/src/k8s.io/client-go/dynamic/simple.go DynamicClient
// Simplified: resources are rows of the catalog and objects are trees; there is no generated code.
// Reading: reference
package client
