package endpoints

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// Watch is the row that makes every storage that is a rest.Watcher watchable.
func Watch(asks Asks) endpoints.Verb {
	return endpoints.Verb{
		Name: "watch", Method: http.MethodGet, On: endpoints.Collection,
		Able:  func(s rest.Storage) bool { _, ok := s.(rest.Watcher); return ok },
		Serve: asks.serveWatch,
	}
}

// Asks finds out what a client asks for. What that means for real clients, to
// the letter, stands in package wire/events.
type Asks func(s *endpoints.Scope, req *http.Request) (Asked, error)

// Asked is a watch as its client wants it.
type Asked struct {
	Namespace string // "" is all
	Options   rest.WatchOptions
	Timeout   time.Duration // 0: the client sets none
	MediaType string
	// Frame is the form of an event, or of the error that ends the stream and
	// that it returns again. The parts are sent one after the other; all who watch
	// the same object share its bytes.
	Frame func(ev storage.Event, failure error) (parts [][]byte, err error)
}

func (asks Asks) serveWatch(s *endpoints.Scope, w http.ResponseWriter, req *http.Request) error {
	asked, err := asks(s, req)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(req.Context(), cmp.Or(asked.Timeout, minTimeout+rand.N(minTimeout)))
	defer cancel()
	events, err := s.Storage.(rest.Watcher).Watch(ctx, asked.Namespace, asked.Options)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", asked.MediaType)
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(http.StatusOK)
	if send(w, nil) != nil {
		return nil // the client has gone
	}
	// This goroutine pulls: while it writes to a slow client, it takes no event.
	for ev, failure := range events {
		if ctx.Err() != nil {
			return nil // its time is over, which is no error
		}
		if ev.Type == storage.Bookmark && !asked.Options.AllowBookmarks {
			continue
		}
		parts, failure := asked.Frame(ev, failure)
		if send(w, parts) != nil || failure != nil {
			return nil
		}
	}
	return nil
}

func send(w http.ResponseWriter, parts [][]byte) error {
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return http.NewResponseController(w).Flush()
}

// minTimeout is how long a watch lasts at least, where the client sets no limit.
const minTimeout = 30 * time.Minute
