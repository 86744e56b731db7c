package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"example.com/sample/stage1-main/store"
)

// Run serves until stopCh is closed.
//
// Upstream: cmd/server.go Run
func Run(port int, log io.Writer, stopCh <-chan struct{}) error {
	ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	var s store.Store
	srv := &http.Server{Handler: handler(&s)}
	fmt.Fprintf(log, "%-7s %-20s %6.1f ms\n", "[A3.1]", "Run", float64(time.Now().Nanosecond()%1e6)/1e5)
	fmt.Fprintf(log, "serving http://%s    Ctrl-C stops\n", ln.Addr())
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ln) }()
	<-stopCh
	fmt.Fprintln(log, "stopped")
	srv.Close()
	<-done
	return nil
}

func handler(s *store.Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"keys": s.Keys(), "at": time.Now().UTC().Format(time.RFC3339)})
	})
	mux.HandleFunc("PUT /keys/{key}", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if _, err := s.Update(r.PathValue("key"), string(body), 0); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	return mux
}
