package app

import (
	"context"
	"fmt"

	"example.com/kube-apiserver/stage1-main/startup"
)

// firstScreen prints the first screen: where the server is and what to try.
func firstScreen(log *startup.Log, url string) func(context.Context) error {
	return func(context.Context) error {
		log.Print(
			fmt.Sprintf("serving %s    nothing is kept    Ctrl-C stops", url),
			"  second terminal:  curl -s '"+url+"/healthz?verbose'",
			"                    curl -s "+url+"/version",
			"                    curl -s "+url+"/debug/startup",
			"  not here yet: options (2), storage (3), watch (4), TLS (5)",
		)
		return nil
	}
}
