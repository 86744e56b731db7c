// Package exists has two admission plugins for namespaces that are not there:
// NamespaceExists refuses what is written in one, NamespaceAutoProvision makes it.
// NamespaceLifecycle, which is on by default, does what the first one does and more.
//
// Article: A3.4
// Upstream: plugin/pkg/admission/namespace/exists/admission.go exists
// Now: plugin/pkg/admission/namespace/exists/admission.go Exists
// Reading: reference
package exists
