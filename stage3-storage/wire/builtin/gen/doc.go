// Gen writes the table of what the sources of API types say in comments that
// begin with a plus sign, which reflection cannot see: how lists and maps are
// merged, what may be left out, which values there are. It takes names, keys
// and values and none of the sentences around them.
//
// Article: none
// Upstream: cmd/libs/go2idl/openapi-gen/generators/openapi.go openAPIGen
// Now: vendor/k8s.io/kube-openapi/pkg/generators/openapi.go openAPIGen
// Simplified: one table instead of a function for each type.
// Reading: reference
package main
