// Package endpoints adds one row to stage 3's table of verbs: watch. It shares
// its path with list and answers with a stream of events.
//
// Article: A3.13
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/watch.go serveWatch
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/watch.go serveWatchHandler
// Reading: core
package endpoints
