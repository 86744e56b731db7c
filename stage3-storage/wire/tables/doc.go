// Package tables has the rows that the app hands to the endpoints: media types,
// patch types, and the columns in which kinds are shown.
//
// Article: none
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/codec_factory.go CodecFactory
// Now: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/codec_factory.go CodecFactory
// Reading: reference
package tables
