// Package server adds what the article ends with: serving over TLS.
//
// Article: A4.1, A4.2, A4.3, A4.4, A4.5
// Upstream: staging/src/k8s.io/apiserver/pkg/server/serve.go serveSecurely
// Now: staging/src/k8s.io/apiserver/pkg/server/secure_serving.go Serve
// Differs: the socket is opened long before, with the options, so that a port in use is found before any store is opened.
// Reading: core
package server
