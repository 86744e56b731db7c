// Package traffic is about requests as such: how many are served at a time and
// for how long, which pages of others may send them, and what is counted.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/server/filters/maxinflight.go WithMaxInFlightLimit
// Now: staging/src/k8s.io/apiserver/pkg/server/filters/maxinflight.go WithMaxInFlightLimit
// Differs: a request that takes too long is 504 with reason Timeout, as today; 1.7's Status said 500.
// Simplified: two limits, for reads and for writes, as in 1.7; no priority and fairness.
// Reading: reference
package traffic
