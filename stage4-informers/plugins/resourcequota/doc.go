// Package resourcequota is the admission plugin ResourceQuota: it counts what a
// namespace has and asks for, refuses what would be too much, and writes the new
// count into the quota's status before the object is stored.
//
// A count is written under the condition that nobody has changed it meanwhile,
// so two writes, or two servers, never give away the same rest. Writes that
// arrive while one is being counted are counted together afterwards.
//
// Article: A3.4
// Upstream: plugin/pkg/admission/resourcequota/controller.go quotaEvaluator
// Now: staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go quotaEvaluator
// Differs: before a write is refused by what the informer knows, the quotas are read once more from the API; upstream may refuse by an old count.
// Differs: an object whose name is taken is not counted; in upstream it stays counted until a controller counts anew.
// Simplified: an informer without quotas for a namespace is believed; upstream asks the API once in half a minute.
// Simplified: what is counted here and then not stored, because somebody else was quicker, stays counted until a controller counts anew, as in upstream.
// Reading: reference
package resourcequota
