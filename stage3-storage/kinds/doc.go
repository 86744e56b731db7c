// Package kinds is the table of the kinds of the core group: for each one its
// row of the catalog, its defaults, its rules and its columns. One file a kind.
//
// A kind's functions work on trees that its schema has normalised already, so
// they may rely on types; what is missing is nil.
//
// Article: A3.11
// Upstream: pkg/registry/core/pod/strategy.go podStrategy
// Now: pkg/registry/core/pod/strategy.go podStrategy
// Simplified: the rules that people meet; not yet all of upstream's.
// Reading: reference
package kinds
