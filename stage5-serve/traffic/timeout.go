package traffic

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
)

// WithTimeout lets a request take that long, or as long as its parameter
// timeout says, if that is less. Then its context ends and the client gets
// 504; if the answer has begun already, the connection is cut instead, so that
// nobody takes half of it for the whole.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/filters/timeout.go WithTimeoutForNonLongRunningRequests
func WithTimeout(most time.Duration, formats []negotiation.Format) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if LongRunning(req) {
				next.ServeHTTP(w, req)
				return
			}
			limit := most
			if text := req.URL.Query().Get("timeout"); text != "" {
				asked, err := time.ParseDuration(text)
				if err != nil {
					negotiation.WriteStatus(formats, w, req, status.BadRequest("invalid timeout specified in the request URL - %v", err))
					return
				}
				if asked > 0 {
					limit = min(limit, asked)
				}
			}
			ctx, cancel := context.WithTimeout(req.Context(), limit)
			defer cancel()
			serve(ctx, next, w, req, formats)
		})
	}
}

// serve runs the handler in a goroutine of its own, which ends on its own when
// it sees that its context has: nobody can end it from outside. A panic in it
// is this goroutine's.
func serve(ctx context.Context, next http.Handler, w http.ResponseWriter, req *http.Request, formats []negotiation.Format) {
	guarded := &writer{to: w, header: http.Header{}}
	done := make(chan any, 1)
	go func() {
		var panicked any
		defer func() {
			if p := recover(); p != nil {
				panicked = p
				if p != http.ErrAbortHandler {
					panicked = panicValue{p, debug.Stack()}
				}
			}
			done <- panicked
		}()
		next.ServeHTTP(guarded, req.WithContext(ctx))
	}()
	select {
	case p := <-done:
		if p != nil {
			panic(p)
		}
	case <-ctx.Done():
		if begun := guarded.close(); begun || req.Context().Err() != nil {
			panic(http.ErrAbortHandler)
		}
		negotiation.WriteStatus(formats, w, req, status.New(http.StatusGatewayTimeout, "Timeout", "Timeout: request did not complete within the allotted timeout", &status.Details{}))
	}
}

// panicValue keeps where the panic was: the goroutine that reports it is another one.
type panicValue struct {
	value any
	stack []byte
}

func (p panicValue) String() string { return fmt.Sprintf("%v, in\n%s", p.value, p.stack) }

// writer passes everything on until it is closed.
type writer struct {
	header http.Header // what the handler sets; sent with the code

	mu     sync.Mutex // guards what follows
	to     http.ResponseWriter
	begun  bool
	closed bool
}

// close makes every further write fail, and says whether the answer had begun.
func (w *writer) close() (begun bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	return w.begun
}

// Header is part of http.ResponseWriter.
func (w *writer) Header() http.Header { return w.header }

// WriteHeader is part of http.ResponseWriter.
func (w *writer) WriteHeader(code int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writeHeader(code)
}

func (w *writer) writeHeader(code int) {
	if w.closed || w.begun {
		return
	}
	w.begun = code >= 200
	maps.Copy(w.to.Header(), w.header)
	w.to.WriteHeader(code)
}

// Write is part of http.ResponseWriter.
func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return 0, http.ErrHandlerTimeout
	}
	w.writeHeader(http.StatusOK)
	return w.to.Write(p)
}

// FlushError is what http.ResponseController looks for.
func (w *writer) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return http.ErrHandlerTimeout
	}
	w.writeHeader(http.StatusOK)
	return http.NewResponseController(w.to).Flush()
}
