package bench_test

import (
	"io"
	"net/http"
	"sync"
)

// static is what to compare with: it sends bytes that it was given. GET answers
// with what was PUT; what is POSTed goes to everybody who watches.
type static struct {
	body []byte // set before anything is measured

	mu       sync.Mutex
	watchers map[chan<- []byte]bool
}

func (s *static) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case req.URL.RawQuery != "":
		s.watch(w, req)
	case req.Method == http.MethodPut:
		s.body, _ = io.ReadAll(req.Body)
	case req.Method == http.MethodPost:
		frame, _ := io.ReadAll(req.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		for to := range s.watchers {
			to <- frame
		}
	default:
		w.Write(s.body)
	}
}

// watch sends each frame at once.
func (s *static) watch(w http.ResponseWriter, req *http.Request) {
	frames := make(chan []byte, 1000)
	s.mu.Lock()
	s.watchers[frames] = true
	s.mu.Unlock()
	flusher := http.NewResponseController(w)
	flusher.Flush() // the watch has begun
	for {
		select {
		case frame := <-frames:
			w.Write(frame)
			flusher.Flush()
		case <-req.Context().Done():
			s.mu.Lock()
			delete(s.watchers, frames)
			s.mu.Unlock()
			return
		}
	}
}
