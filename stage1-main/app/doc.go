// Package app is the table of contents: Run has a line for each paragraph of
// the article, in the article's order. It also fills the tables from which the
// other packages are made, so it alone imports all of them.
//
// Article: A3.1, A4.7
// Upstream: cmd/kube-apiserver/app/server.go Run
// Now: cmd/kube-apiserver/app/server.go Run
// Reading: core
package app
