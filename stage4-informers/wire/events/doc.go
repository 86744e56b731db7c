// Package events is a watch as real clients want it, to the letter: which
// parameters go together, which text answers those that do not, and the frames
// in which events are sent.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/watch.go WatchServer
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/watch.go WatchServer
// Reading: reference
package events
