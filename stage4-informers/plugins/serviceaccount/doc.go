// Package serviceaccount is the admission plugin ServiceAccount: every pod runs
// as a service account that is there, and finds a token for it among its files.
//
// Article: A3.4
// Upstream: plugin/pkg/admission/serviceaccount/admission.go serviceAccount
// Now: plugin/pkg/admission/serviceaccount/admission.go Plugin
// Differs: 1.7 mounts a secret that a controller has made for the account; as today, the kubelet is told to ask for a token that expires.
// Reading: reference
package serviceaccount
