// Package selector reads the selectors of lists and watches: by labels
// (app=web,tier!=db,env in (a,b),!old) and by fields (metadata.name=web).
//
// Article: none
// Upstream: staging/src/k8s.io/apimachinery/pkg/labels/selector.go Parse
// Now: staging/src/k8s.io/apimachinery/pkg/labels/selector.go Parse
// Reading: reference
package selector
