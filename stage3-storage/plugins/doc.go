// Package plugins has the admission plugins that need nothing but the request:
// no informer, no client. One file a plugin, or a few that belong together.
//
// Article: A3.4
// Upstream: cmd/kube-apiserver/app/plugins.go registerAllAdmissionPlugins
// Now: pkg/kubeapiserver/options/plugins.go RegisterAllAdmissionPlugins
// Differs: ExampleDenyUser and ExampleSetReplicas, the article's two examples, are no plugins of upstream.
// Simplified: Priority knows the two classes of the system; others come with the group that keeps them.
// Reading: reference
package plugins
