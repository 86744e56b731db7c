// Package negotiation gives answers the form that the client asks for: it reads
// the Accept header, finds the row of the media type and of the shape, and writes
// the answer in it, indented for people and compressed where it is long.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go NegotiateOutputMediaType
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go NegotiateOutputMediaType
// Reading: reference
package negotiation
