// Package allocator says who has which number of a range, and which are free.
//
// A number is picked first and claimed later: whoever needs one picks it,
// finishes what he wants to store, and claims it right before the commit. Only
// a claim counts, so a write that is refused, or only tried, leaves nothing
// behind, and no number is ever given to two.
//
// Article: A3.10
// Upstream: pkg/registry/core/service/allocator/bitmap.go AllocationBitmap
// Now: pkg/registry/core/service/ipallocator/ipallocator.go Allocator
// Differs: upstream stores its bitmaps, since several servers share them; here they are read back from the services at the start.
// Simplified: one server at a time hands out numbers of one store.
// Reading: reference
package allocator
