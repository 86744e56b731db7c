// Package resourcequota is the controller that counts what is used of a quota.
//
// The admission plugin of the same name counts up, before an object is stored.
// This controller counts anew: when a quota is new or changes, and when what it
// counts does; at once where something has gone, which nobody counts down.
//
// Article: A3.14
// Upstream: pkg/controller/resourcequota/resource_quota_controller.go ResourceQuotaController
// Now: pkg/controller/resourcequota/resource_quota_controller.go Controller
// Differs: upstream runs it in kube-controller-manager and counts in its caches; here the API is asked, because a cache that is behind would take back what the plugin has just counted.
// Reading: reference
package resourcequota
