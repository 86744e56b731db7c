// Package audit writes down who did what: a line of JSON for each stage of a
// request that the policy picks, with as much of it as the policy wants.
//
// Bodies are read along as they pass. At the levels Request and RequestResponse
// the log has whatever secrets are in them, so a policy should leave secrets and
// tokens at Metadata.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/audit.go WithAudit
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/filters/audit.go WithAudit
// Differs: without a policy file everything is written down; upstream then writes nothing.
// Differs: requestObject is what the client has sent, where it can be read; upstream's is after defaulting.
// Simplified: one file and those that it was before, no webhook; of all annotations those of authorization.
// Reading: reference
package audit
