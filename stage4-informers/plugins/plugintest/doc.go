// Package plugintest runs stage 4 with some plugins, for the tests of plugins:
// what they answer is asked over HTTP, as clients do.
//
// Article: none
// Upstream: none
// Now: none
// Reading: reference
package plugintest
