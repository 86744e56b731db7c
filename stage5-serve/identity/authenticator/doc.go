// Package authenticator finds out who sends a request: by a client
// certificate, by a bearer token, or as nobody in particular.
//
// Article: A4.3
// Upstream: pkg/kubeapiserver/authenticator/config.go New
// Now: pkg/kubeapiserver/authenticator/config.go New
// Differs: a line of the token file that 1.7 would skip, or read half of, is an error.
// Simplified: certificates, a file of tokens and the server's own token; no tokens of service accounts, OIDC, webhooks or proxies in front.
// Reading: reference
package authenticator
