// Package podsecurity is the admission plugin PodSecurity: labels of a
// namespace say how much its pods may reach of their node. The levels and their
// checks are those of the module k8s.io/pod-security-admission; this package
// decides what is checked when, and what comes of it.
//
// Article: A3.4
// Upstream: plugin/pkg/admission/security/podsecuritypolicy/admission.go podSecurityPolicyPlugin
// Now: staging/src/k8s.io/pod-security-admission/admission/admission.go Admission
// Differs: 1.7 has PodSecurityPolicy, a kind of objects with rules of one's own; it was given up.
// Differs: the pods of a namespace whose labels change are listed through the API, not taken from an informer.
// Simplified: nothing is written down for the level "audit": plugins do not know the audit log, which comes with stage 5.
// Reading: reference
package podsecurity
