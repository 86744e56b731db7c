// Package events writes down for people what a controller did, as objects of
// kind Event, which "kubectl describe" and "kubectl get events" show.
//
// Article: none
// Upstream: staging/src/k8s.io/client-go/tools/record/event.go EventRecorder
// Now: staging/src/k8s.io/client-go/tools/record/event.go EventRecorder
// Simplified: upstream counts up an event that repeats itself instead of writing it again.
// Reading: reference
package events
