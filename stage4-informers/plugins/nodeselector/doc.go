// Package nodeselector is the admission plugin PodNodeSelector: a namespace may
// have nodes of its own, which its pods are given to and cannot get away from.
//
// Article: A3.4
// Upstream: plugin/pkg/admission/podnodeselector/admission.go podNodeSelector
// Now: plugin/pkg/admission/podnodeselector/admission.go Plugin
// Reading: reference
package nodeselector
