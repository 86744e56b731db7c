// Package authenticator finds out who sends a request: by a client
// certificate, by a bearer token, or as nobody in particular.
//
// Article: A4.3
// Upstream: pkg/kubeapiserver/authenticator/config.go New
// Now: pkg/kubeapiserver/authenticator/config.go New
// Differs: a line of the token file with too many columns, with an empty token or user, or with the token of another line is an error; 1.7 takes it as it is.
// Simplified: certificates, a file of tokens, the server's own token and proxies in front, here; tokens of service accounts in a package of their own; no OIDC, webhooks or tokens for bootstrapping.
// Reading: reference
package authenticator
