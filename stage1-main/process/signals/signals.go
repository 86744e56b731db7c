package signals

import (
	"os"
	"os/signal"
	"syscall"
)

// SetupSignalHandler returns a channel that is closed at the first SIGINT or
// SIGTERM. The second one ends the process with code 1. Call it once.
//
// Now: staging/src/k8s.io/apiserver/pkg/server/signal.go SetupSignalHandler
func SetupSignalHandler() <-chan struct{} {
	stop := make(chan struct{})
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	go func() { // lives as long as the process
		<-c
		close(stop)
		<-c
		os.Exit(1)
	}()
	return stop
}
