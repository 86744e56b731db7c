// Package filters asks who sends a request and whether he may, before anything
// else is done about it. Doubt means no.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/authentication.go WithAuthentication
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/filters/authorization.go WithAuthorization
// Differs: refusals are Status objects; 1.7 answered with plain text.
// Reading: reference
package filters
