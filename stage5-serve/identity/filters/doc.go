// Package filters asks who sends a request and whether he may, before anything
// else is done about it. Doubt means no.
//
// The order is WithAuthentication, WithImpersonation, WithAuthorization, all
// behind the filter that puts request.Info into the context. Each relies on
// the one before: who is unknown cannot be asked what he may, and it is the
// impersonated user who has to be allowed. In another order nobody gets in.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/authentication.go WithAuthentication
// Now: staging/src/k8s.io/apiserver/pkg/server/config.go DefaultBuildHandlerChain
// Differs: refusals are Status objects in today's words; 1.7 answered with plain text.
// Differs: an authorizer that allows and reports an error as well lets nobody in; upstream looks at the decision first.
// Differs: impersonation is today's: for kinds of users, and for what may be done as them, there are verbs of their own beside impersonate.
// Simplified: impersonation asks anew each time instead of remembering answers for ten seconds, does not know the node that a service account runs on, and checks less of the keys of extra.
// Reading: reference
package filters
