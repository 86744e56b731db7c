// Package tree reads the workspace: its stages, their packages, what the doc.go
// of each says, and the places that an address names.
//
// # The grammar of package comments
//
// The package comment of every package of a stage ends in these lines, in this
// order, one line each, after an empty line:
//
//	Article: A3.10, A3.11           paragraphs of the article, or none
//	Upstream: pkg/x/file.go Symbol  in Kubernetes 1.7.3, or none
//	Now: pkg/y/file.go Symbol       in today's Kubernetes, or none
//	Differs: a sentence             any number of such lines
//	Simplified: a sentence          any number of such lines
//	Reading: core                   or reference
//
// The comment stands in doc.go; a package main may leave it out, or have it in
// another file. The doc comment of a name with a counterpart upstream ends in an
// Upstream line of its own, or, where that came after 1.7.3, in a Now line.
//
// # Addresses
//
// A place in the code is named by a file, relative to the root or to a stage,
// and a name in it:
//
//	stage3-storage/storage/store.go#Store          a type, function, variable or constant
//	stage3-storage/storage/store.go#Store.Update   a method
//	stage3-storage/storage/store.go#step:3.2       the lines of a step
//
// A step stands between two marker lines inside a function, a struct type or a
// composite literal. Its number is that of the chapter's section, with a letter
// where a section has several:
//
//	//step:3.2 compare the resourceVersion before writing
//	if cur.rv != rv {
//		return ErrConflict
//	}
//	//step:end
package tree
