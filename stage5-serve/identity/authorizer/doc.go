// Package authorizer decides who may do what.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go Authorizer
// Now: staging/src/k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go Authorizer
// Simplified: RBAC knows the built-in roles that are in its table; roles and bindings cannot be created yet.
// Reading: reference
package authorizer
