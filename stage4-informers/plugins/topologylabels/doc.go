// Package topologylabels is the admission plugin PodTopologyLabels: a pod that
// is given to a node gets the labels that say where that node is, so that its
// containers can be told.
//
// Article: A3.4
// Upstream: none
// Now: plugin/pkg/admission/podtopologylabels/admission.go Plugin
// Reading: reference
package topologylabels
