// Package printers shows objects as tables, for people, and as metadata alone,
// for programs that need no more.
//
// Article: none
// Upstream: pkg/printers/internalversion/printers.go AddHandlers
// Now: pkg/printers/internalversion/printers.go AddHandlers
// Differs: 1.7 has tables as an alpha only, and its kubectl prints by itself; these are today's.
// Reading: reference
package printers
