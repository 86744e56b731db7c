// Package known lists the admission plugins that there are somewhere, whether
// they are built here or not.
//
// Article: A3.4
// Upstream: cmd/kube-apiserver/app/plugins.go registerAllAdmissionPlugins
// Now: pkg/kubeapiserver/options/plugins.go AllOrderedPlugins
// Reading: reference
package known
