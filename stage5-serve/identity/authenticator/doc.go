// Package authenticator finds out who sends a request: by a client
// certificate, by a bearer token, or as nobody in particular.
//
// Article: A4.3
// Upstream: pkg/kubeapiserver/authenticator/config.go New
// Now: pkg/kubeapiserver/authenticator/config.go New
// Reading: reference
package authenticator
