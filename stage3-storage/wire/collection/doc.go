// Package collection deletes the objects of a collection one by one: a verb
// made of two others, for every storage that has both.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go DeleteCollection
// Now: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go DeleteCollection
// Differs: upstream has it in its store; here it needs no more than List and Delete.
// Reading: reference
package collection
