package app

import (
	"context"

	"example.com/kube-apiserver/stage1-main/startup"
)

// firstScreen prints where the server is and what to try.
func firstScreen(log *startup.Log, url string) func(context.Context) error {
	return func(context.Context) error {
		log.Print(
			"serving "+url+"    nothing is kept    Ctrl-C stops",
			"  what was configured:  make stage2 ARGS=--dry-run",
			"  all errors at once:   make stage2 ARGS=\"--insecure-port=-1 --apiserver-count=0\"",
			"  not here yet: storage (3), watch (4), TLS (5)",
		)
		return nil
	}
}
