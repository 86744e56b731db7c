// Package server is the machine that every API server is built on: sockets, a
// mux, a chain of filters, health checks, and an order in which things start
// and stop. It knows nothing of objects or storage.
//
// Article: A4.1, A4.3, A4.5, A4.7
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go GenericAPIServer
// Now: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go GenericAPIServer
// Differs: what happens at the start and at the stop is a list of named actions by phase; upstream writes the order out in Run.
// Differs: an error while serving ends Run with that error after an orderly stop; 1.7 panics.
// Reading: core
package server
