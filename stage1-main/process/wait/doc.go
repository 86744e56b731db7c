// Package wait has the channel that never says stop, and the bridge from such
// a channel to a context.
//
// Article: A3.1
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go NeverStop
// Now: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go NeverStop
// Reading: reference
package wait
