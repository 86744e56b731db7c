// Package wait has the channel that never says stop, the bridge from such a
// channel to a context, and loops that end when they are told.
//
// Article: A3.1
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go NeverStop
// Now: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go NeverStop
// Reading: reference
package wait
