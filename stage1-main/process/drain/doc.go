// Package drain lets the requests that are open when a server stops end in
// order. First come those that end by themselves; then the others, such as
// watches, are told to end, so that a watcher sees what the last writes have
// changed. Last come those that have taken their connection over, such as an
// exec, of which http.Server knows nothing any more.
//
// Article: A4.7
// Upstream: none
// Now: staging/src/k8s.io/apiserver/pkg/server/filters/waitgroup.go WithWaitGroup
// Reading: reference
package drain
