// Package flags are those of 1.7's flags that work from this stage on: who may
// come in, how many at a time, and what is written down about it. The options
// that this stage alone reads stand here too: about kubelets, about a proxy in
// front, and about the tokens of service accounts.
//
// Article: A2.3
// Upstream: pkg/kubeapiserver/options/authentication.go AddFlags
// Now: pkg/kubeapiserver/options/authentication.go AddFlags
// Reading: reference
package flags
