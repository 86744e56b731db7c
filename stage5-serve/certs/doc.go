// Package certs makes and reads the certificates that the server shows and
// that its administrator shows to it.
//
// Article: A4.4
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go MaybeDefaultWithSelfSignedCerts
// Now: staging/src/k8s.io/apiserver/pkg/server/options/serving.go MaybeDefaultWithSelfSignedCerts
// Differs: ECDSA P-256 and an authority of its own that signs the server's certificate and the administrator's; 1.7 makes one RSA certificate that signs itself.
// Differs: files are read and made here, long before serveSecurely, which only gets what is in memory; the article reads as if it happened there.
// Reading: core
package certs
