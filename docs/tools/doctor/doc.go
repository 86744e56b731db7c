// Package doctor says whether a machine is ready for the workshop (Examine), and
// brings the modules there that it needs (Prefetch, Pack). Every finding is one
// line: OK, or what to type to mend it.
//
// It imports the standard library only, and so does cmd/doctor. Whoever cannot
// reach a module proxy can still build it, and be told so.
package doctor
