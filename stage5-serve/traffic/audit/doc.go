// Package audit writes down who did what: a line of JSON for each stage of a
// request that the policy picks, without bodies.
//
// Article: A4.3
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/audit.go WithAudit
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/filters/audit.go WithAudit
// Differs: without a policy file everything is written down; upstream then writes nothing.
// Simplified: level Metadata only, no bodies; one file that is never rotated, no webhook.
// Reading: reference
package audit
