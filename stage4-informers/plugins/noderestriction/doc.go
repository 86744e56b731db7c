// Package noderestriction is the admission plugin NodeRestriction: a node may
// change what is on it, and nothing else. What authorization cannot see, since
// it knows a request only by its path, is decided here by the object.
//
// Article: A3.4
// Upstream: plugin/pkg/admission/noderestriction/admission.go nodePlugin
// Now: plugin/pkg/admission/noderestriction/admission.go Plugin
// Differs: it only judges, so it looks at the final object; upstream asks it among those that change objects.
// Differs: pods are read from the API, which is never behind; upstream reads them from an informer.
// Simplified: certificate requests and resource slices are not looked at.
// Reading: reference
package noderestriction
