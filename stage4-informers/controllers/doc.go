// Package controllers is the table of what runs inside under --controllers. A
// controller watches the API through informers and acts through the API, as one
// in a program of its own would; upstream has them in kube-controller-manager.
//
// Article: A3.13
// Upstream: cmd/kube-controller-manager/app/controllermanager.go NewControllerInitializers
// Now: cmd/kube-controller-manager/app/controllermanager.go NewControllerDescriptors
// Reading: reference
package controllers
