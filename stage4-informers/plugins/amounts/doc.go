// Package amounts adds up what pods ask for: the arithmetic that LimitRanger
// and ResourceQuota share.
//
// Article: none
// Upstream: pkg/api/resource/helpers.go PodRequestsAndLimits
// Now: staging/src/k8s.io/component-helpers/resource/helpers.go PodRequests
// Simplified: while a pod is resized in place, what it asks for counts, not what its node has given it.
// Reading: reference
package amounts
