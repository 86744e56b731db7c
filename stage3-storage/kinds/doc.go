// Package kinds is the table of the kinds of the core group: for each one its
// row of the catalog, its defaults, its rules and its columns. One file a kind;
// the larger ones (pods, services) have several, which begin with their name.
//
// A kind's functions work on trees that its schema has normalised already, so
// they may rely on types; what is missing is nil.
//
// Article: A3.10, A3.11
// Upstream: pkg/registry/core/pod/strategy.go podStrategy
// Now: pkg/registry/core/pod/strategy.go podStrategy
// Differs: upstream validates internal versions, so some of its sentences show Go structures; here they show the object as the client knows it.
// Simplified: fields of feature gates, of Windows and of storage vendors are kept and not checked.
// Reading: reference
package kinds
