// Package startup writes down what the server does while it starts: one line a
// step, tied to the paragraph of the article that speaks of it.
//
// Article: A3.1
// Upstream: none
// Now: none
// Differs: upstream logs its start through glog, without order or names.
// Reading: core
package startup
