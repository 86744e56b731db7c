// Package rules is the vocabulary in which kinds say what their objects look
// like: tables of defaults, tables of checks, and ways to walk a tree.
//
// Everything here takes trees of any shape. A value of another type than
// expected is treated as missing: that types are right is the schema's business.
//
// Article: A3.11
// Upstream: pkg/api/validation/validation.go ValidatePodSpec
// Now: pkg/apis/core/validation/validation.go ValidatePodSpec
// Differs: upstream has a function for each structure; here most structures are a table of fields and checks.
// Reading: reference
package rules
