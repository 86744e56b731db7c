// Package rbac serves the group rbac.authorization.k8s.io: roles and bindings
// as objects, the policy that the authorizer reads of them, the roles that
// every server starts with, and the controller that puts roles together.
//
// Article: none
// Upstream: pkg/registry/rbac/rest/storage_rbac.go RESTStorageProvider
// Now: pkg/registry/rbac/rest/storage_rbac.go RESTStorageProvider
// Differs: the built-in roles are today's.
// Simplified: a built-in binding whose role was exchanged is left as it is; upstream makes it anew.
// Reading: reference
package rbac
