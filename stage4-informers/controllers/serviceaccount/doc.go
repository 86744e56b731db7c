// Package serviceaccount is the controller that keeps a service account
// "default" in every namespace, because pods that name none get that one.
//
// Article: A3.14
// Upstream: pkg/controller/serviceaccount/serviceaccounts_controller.go ServiceAccountsController
// Now: pkg/controller/serviceaccount/serviceaccounts_controller.go ServiceAccountsController
// Differs: upstream runs it in kube-controller-manager.
// Reading: reference
package serviceaccount
