// Package builtin knows the kinds that upstream is compiled with: it makes
// their schemas out of the Go types of k8s.io/api, and turns their protobuf
// into JSON and back.
//
// It is the only package that uses k8s.io/api. No object is ever kept as one
// of those types: reflection reads their structure once, and a protobuf body
// passes through them on its way to JSON.
//
// Article: none
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go Serializer
// Now: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go Serializer
// Differs: upstream generates code for defaults, conversions and OpenAPI from these types; here they are read when a kind is first asked for.
// Simplified: events of a watch have no protobuf form.
// Reading: reference
package builtin

//go:generate go run ./gen -o tags_gen.go k8s.io/api/core/v1 k8s.io/api/policy/v1 k8s.io/api/autoscaling/v1 k8s.io/api/authentication/v1 k8s.io/apimachinery/pkg/apis/meta/v1
