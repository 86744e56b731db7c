// Package flag wraps pflag in the few habits of Kubernetes programs.
//
// Article: A2.4, A2.5
// Upstream: staging/src/k8s.io/apiserver/pkg/util/flag/flags.go InitFlags
// Now: staging/src/k8s.io/component-base/cli/flag/flags.go InitFlags
// Differs: an unknown flag is answered with the nearest known one, and words that belong to no flag are refused; 1.7 ignores them.
// Reading: reference
package flag
