// Package signals turns Ctrl-C into a closed channel.
//
// Article: A4.7
// Upstream: none
// Now: staging/src/k8s.io/apiserver/pkg/server/signal.go SetupSignalHandler
// Differs: 1.7 handles no signal, a SIGTERM just kills it; here the first signal stops the server in order and the second ends the process at once.
// Reading: reference
package signals
