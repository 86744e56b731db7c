// Command stage1-main serves one store.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"

	"example.com/sample/stage1-main/app"
)

func main() {
	port := flag.Int("insecure-port", 8080, "where to listen")
	flag.Parse()
	stopCh, signals := make(chan struct{}), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() {
		<-signals
		close(stopCh)
	}()
	if err := app.Run(*port, os.Stderr, stopCh); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
