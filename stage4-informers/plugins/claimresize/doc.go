// Package claimresize is the admission plugin PersistentVolumeClaimResize: a
// claim may grow only if somebody is there who makes its volume grow.
//
// Article: A3.4
// Upstream: none
// Now: plugin/pkg/admission/storage/persistentvolume/resize/admission.go persistentVolumeClaimResize
// Differs: the class is read from the API when a claim grows, which is rare; upstream keeps an informer of all classes.
// Reading: reference
package claimresize
