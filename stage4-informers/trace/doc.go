// Package trace shows the way of a change through the server and back into it,
// one line for each:
//
//	ADDED /registry/configmaps/default/hello 12: commit → Cacher 0.0 → frame 0.2 → Reflector 0.6 → DeltaFIFO 0.6 → indexer 0.7 → handler 0.7 ms
//
// It stands between the parts, where they meet as interfaces anyway, so none
// of them knows of it: around the storage and around the Cacher, before the
// Reflector, and as one more handler.
//
// Article: A3.13, A3.14, A3.15, A3.16
// Upstream: none
// Now: none
// Reading: reference
package trace
