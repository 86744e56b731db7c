// Package printers shows objects as tables, for people, and as metadata alone,
// for programs that need no more.
//
// Article: none
// Upstream: pkg/printers/internalversion/printers.go AddHandlers
// Now: pkg/printers/internalversion/printers.go AddHandlers
// Differs: upstream's tables came after 1.7, whose kubectl printed by itself.
// Reading: reference
package printers
