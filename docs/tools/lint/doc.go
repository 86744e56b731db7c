// Package lint checks what every package must say of itself (Comments) and how
// long things are (Count). The grammar stands in the comment of package tree.
package lint
