// Package lifecycle is the admission plugin NamespaceLifecycle: nothing is
// created in a namespace that is not there or is going, and some namespaces
// never go.
//
// Article: A3.4
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go lifecycle
// Now: staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle
// Differs: whatever the informer does not show as alive is looked up through the API at once; upstream first waits 50 ms for its cache.
// Reading: reference
package lifecycle
