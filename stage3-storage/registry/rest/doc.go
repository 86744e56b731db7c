// Package rest says what a Storage may be able to do. A storage has exactly
// those methods that its path should offer; the installer finds out by type
// assertion which HTTP verbs that makes.
//
// Article: A3.11
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/rest/rest.go Storage
// Now: staging/src/k8s.io/apiserver/pkg/registry/rest/rest.go Storage
// Differs: the article says that a Storage serves create, read, update and delete; it serves what it implements, a binding for instance can only be created.
// Reading: core
package rest
