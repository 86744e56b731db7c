package endpoints

import (
	"net/http"
	"strings"
	"unicode"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// warningWriter adds the warnings that came up to the header, right before it is sent.
type warningWriter struct {
	http.ResponseWriter
	warnings *request.Warnings
	sent     bool
}

var quoteWarning = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func (w *warningWriter) WriteHeader(code int) {
	if !w.sent {
		w.sent = true
		for _, text := range w.warnings.List() {
			if !strings.ContainsFunc(text, unicode.IsControl) { // a header has one line
				w.Header().Add("Warning", `299 - "`+quoteWarning.Replace(text)+`"`)
			}
		}
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *warningWriter) Write(p []byte) (int, error) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *warningWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
