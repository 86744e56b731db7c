// Package status is the one kind of error that API clients see: a Status
// object with a code, a reason for programs and a message for people.
//
// Article: A3.11
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go StatusError
// Now: staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go StatusError
// Reading: core
package status
