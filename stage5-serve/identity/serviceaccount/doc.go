// Package serviceaccount issues the tokens of service accounts and recognises
// them: who runs in a pod is a user of his own.
//
// Article: A4.3
// Upstream: pkg/serviceaccount/jwt.go TokenGenerator
// Now: pkg/serviceaccount/jwt.go JWTTokenGenerator
// Differs: 1.7 keeps a token without an end in a secret; here are today's, which end, are for an audience and can be bound to a pod.
// Differs: the key that signs is made in --cert-dir where none is given; upstream wants one.
// Simplified: no tokens in secrets, no external signer, and tokens cannot be bound to the configuration of a webhook.
// Reading: reference
package serviceaccount
