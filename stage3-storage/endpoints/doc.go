// Package endpoints turns storages into HTTP: a table says which verb needs
// which ability and which handler serves it, and the installer makes a route
// for every verb that a storage is able to serve. A handler reads, asks the
// storage, answers; how to the letter a body is read and an answer put into form
// is behind Decoder and Encoder, in wire/requests and wire/negotiation.
//
// Article: A3.10, A3.11
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/installer.go APIInstaller
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/installer.go APIInstaller
// Differs: upstream registers all verbs in one function of several hundred lines; here a verb is a row.
// Reading: core
package endpoints
