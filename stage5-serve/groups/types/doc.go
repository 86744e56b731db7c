// Package types has the Go types of the named groups, of which schemas and
// protobuf are made, as package builtin does for the core group.
//
// Article: none
// Upstream: pkg/apis/rbac/install/install.go Install
// Now: pkg/apis/rbac/install/install.go Install
// Reading: reference
package types

//go:generate go run example.com/kube-apiserver/stage3-storage/wire/builtin/gen -package types -qualifier builtin. -o tags_gen.go k8s.io/api/rbac/v1 k8s.io/api/authentication/v1 k8s.io/api/authorization/v1 k8s.io/api/events/v1
