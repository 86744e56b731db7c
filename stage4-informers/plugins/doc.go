// Package plugins is the table of the admission plugins that want informers or a
// client of the server itself. Each has a package of its own.
//
// Article: A3.4
// Upstream: cmd/kube-apiserver/app/plugins.go registerAllAdmissionPlugins
// Now: pkg/kubeapiserver/options/plugins.go RegisterAllAdmissionPlugins
// Reading: reference
package plugins
