// Package certs says which certificate a client gets to see. Where certificates
// come from is told by package pki below it, and how they follow their files by
// package reload.
//
// Article: A4.4
// Upstream: staging/src/k8s.io/apiserver/pkg/server/serve.go GetNamedCertificateMap
// Now: staging/src/k8s.io/apiserver/pkg/server/dynamiccertificates/named_certificates.go BuildNamedCertificates
// Differs: files are read and made here, long before serveSecurely, which only gets what is in memory; the article reads as if it happened there.
// Reading: core
package certs
