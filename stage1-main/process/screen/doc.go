// Package screen is what a server says once it serves: where it is, and what
// to try.
//
// Article: none
// Upstream: none
// Now: none
// Reading: reference
package screen
