package negotiation

import (
	"net/http"
	"strings"
	"unicode"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

var quoteWarning = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// writeHead sends the head of an answer, with the warnings that came up.
func writeHead(w http.ResponseWriter, req *http.Request, code int) {
	for _, text := range request.Warnings(req.Context()) {
		if !strings.ContainsFunc(text, unicode.IsControl) { // a header has one line
			w.Header().Add("Warning", `299 - "`+quoteWarning.Replace(text)+`"`)
		}
	}
	w.WriteHeader(code)
}
