// Package options says how many stores there are.
//
// Article: A2.2, A2.3
// Upstream: none
// Now: none
// Reading: reference
package options
