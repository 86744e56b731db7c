// Package authorizer decides who may do what.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go Authorizer
// Now: staging/src/k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go Authorizer
// Differs: an authorizer that fails ends the question, with no; upstream asks the next one, who may say yes.
// Differs: the built-in roles are today's; 1.7 let anonymous users read the discovery documents too.
// Simplified: modes AlwaysAllow, AlwaysDeny, ABAC and RBAC; no Webhook or Node.
// Reading: reference
package authorizer
