// Package discovery tells clients what a server has: the lists under /api and
// /apis, one by one as they were in 2017, and all in one document as clients
// ask for it today.
//
// Article: A3.10
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/discovery/root.go rootAPIsHandler
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/discovery/aggregated/handler.go resourceDiscoveryManager
// Simplified: every answer is made anew from the inventory, so it is never behind it; upstream keeps documents and mends them.
// Reading: reference
package discovery
