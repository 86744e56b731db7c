// Package identity puts together, of the options, who is recognised as whom and
// who decides what they may do.
//
// Article: A4.3
// Upstream: cmd/kube-apiserver/app/server.go BuildAuthenticator
// Now: pkg/kubeapiserver/options/authentication.go ToAuthenticationConfig
// Reading: reference
package identity
