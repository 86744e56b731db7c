// Package reload keeps what is made of files, such as certificates, as new as
// the files are.
//
// Article: A4.4
// Upstream: none
// Now: staging/src/k8s.io/apiserver/pkg/server/dynamiccertificates/dynamic_serving_content.go DynamicCertKeyPairContent
// Differs: 1.7 reads its certificates once.
// Reading: reference
package reload
