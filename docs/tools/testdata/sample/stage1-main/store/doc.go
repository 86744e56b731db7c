// Package store keeps values with a version each.
//
// Article: A1.1
// Upstream: pkg/storage/store.go Store
// Now: pkg/storage/store.go Store
// Simplified: values are kept in memory.
// Reading: core
package store
