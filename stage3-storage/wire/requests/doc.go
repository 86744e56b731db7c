// Package requests finds out what a client says: it reads bodies and parameters,
// and words what is wrong with them as the real server does, to the letter.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go transformDecodeError
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go transformDecodeError
// Reading: reference
package requests
