// Package selector reads the selectors of lists, watches and collection
// deletes: by labels (app=web,tier!=db,env in (a,b),!old,size>3) and by fields
// (status.phase=Running,spec.nodeName!=).
//
// Article: none
// Upstream: staging/src/k8s.io/apimachinery/pkg/labels/selector.go Parse
// Now: staging/src/k8s.io/apimachinery/pkg/labels/selector.go Parse
// Differs: a NUL is a character like others, and allowed nowhere; upstream takes it for the end of a word.
// Reading: reference
package selector
