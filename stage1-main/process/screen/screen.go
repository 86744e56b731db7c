package screen

import (
	"context"

	"example.com/kube-apiserver/stage1-main/startup"
)

// First returns an action that prints the first screen of this stage.
func First(log *startup.Log, url string) func(context.Context) error {
	return Lines(log,
		"serving "+url+"    nothing is kept    Ctrl-C stops",
		"  second terminal:  curl -s '"+url+"/healthz?verbose'",
		"                    curl -s "+url+"/version",
		"                    curl -s "+url+"/debug/startup",
		"  not here yet: options (2), storage (3), watch (4), TLS (5)",
	)
}

// Lines returns an action that prints any.
func Lines(log *startup.Log, lines ...string) func(context.Context) error {
	return func(context.Context) error {
		log.Print(lines...)
		return nil
	}
}
