// Package runtimeclass is the admission plugin RuntimeClass: a pod that wants
// to be run in a certain way gets what that costs, and the nodes on which it is
// possible.
//
// Article: A3.4
// Upstream: none
// Now: plugin/pkg/admission/runtimeclass/admission.go RuntimeClass
// Differs: the class is read from the API for each pod that names one, which few do; upstream keeps an informer of all classes.
// Reading: reference
package runtimeclass
