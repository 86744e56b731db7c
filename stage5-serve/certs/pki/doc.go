// Package pki makes the certificates that the server shows to clients and those
// that its administrator shows to it, and picks, of the options, which are used.
//
// Article: A4.4
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go MaybeDefaultWithSelfSignedCerts
// Now: staging/src/k8s.io/apiserver/pkg/server/options/serving.go MaybeDefaultWithSelfSignedCerts
// Differs: ECDSA P-256 and an authority of its own that signs the server's certificate and the administrator's; 1.7 makes one RSA certificate that signs itself.
// Differs: a certificate made here is made anew before it expires, or when the server gets a name that is not in it; 1.7 reuses whatever is there.
// Reading: reference
package pki
