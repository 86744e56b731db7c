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
// Differs: upstream decodes into structures and defaults, converts and validates those; here one tree goes through tables and functions. Where its sentences show a Go structure, AsGo makes one for show.
// Simplified: there are no feature gates; the fields of features that are off in 1.37 are dropped (features.go), those of all others are there. What an older server let in is not tolerated in updates, but for addresses and endpoints.
// Reading: reference
package kinds
