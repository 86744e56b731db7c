package traffic

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// WithCORS lets pages from some origins call the server from a browser. It
// answers a browser's question whether they may, and leaves the rest as it is.
// An expression has to hold the host at both ends: example.com alone would let
// in example.com.evil.org, with the user's credentials.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/filters/cors.go WithCORS
func WithCORS(origins []string) (func(http.Handler) http.Handler, error) {
	var allowed []*regexp.Regexp
	for _, o := range origins {
		re, err := regexp.Compile(o)
		if err != nil {
			return nil, fmt.Errorf("--cors-allowed-origins=%s: %w", o, err)
		}
		if !strings.HasPrefix(o, "^") && !strings.Contains(o, "//") || !strings.HasSuffix(o, "$") && !strings.HasSuffix(o, "(:|$)") {
			return nil, fmt.Errorf("--cors-allowed-origins=%s: other hosts would fit as well; write something such as ^https://example\\.com(:|$)", o)
		}
		allowed = append(allowed, re)
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			origin := req.Header.Get("Origin")
			if origin == "" || !matches(allowed, origin) {
				next.ServeHTTP(w, req)
				return
			}
			h := w.Header()
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Allow-Methods", "POST, GET, OPTIONS, PUT, DELETE, PATCH")
			h.Set("Access-Control-Allow-Headers", "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since")
			h.Set("Access-Control-Expose-Headers", "Date")
			h.Set("Access-Control-Allow-Credentials", "true")
			if req.Method == http.MethodOptions {
				w.WriteHeader(http.StatusNoContent) // browsers ask before they send credentials
				return
			}
			next.ServeHTTP(w, req)
		})
	}, nil
}

func matches(allowed []*regexp.Regexp, origin string) bool {
	for _, re := range allowed {
		if re.MatchString(origin) {
			return true
		}
	}
	return false
}
