package audit

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// WithRefused writes down whom authentication turns away: a request that is
// answered with 401 and never comes to WithAudit, which stands behind. Nobody
// knows whose it is; the line says what was shown.
//
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/filters/authn_audit.go WithFailedAuthenticationAudit
func (l *Log) WithRefused(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		info, came := request.InfoFrom(req.Context()), false
		level, omit := l.Policy.decide(request.User{}, info)
		if level == none {
			next.ServeHTTP(w, req)
			return
		}
		r := &record{log: l, omit: omit, event: newEvent(req, level, request.User{}, info)}
		why := shownBy(req)
		refused := func() {
			r.event.ResponseStatus = &responseStatus{Code: http.StatusUnauthorized, Message: why}
			r.stage(started)
		}
		ctx := context.WithValue(req.Context(), knownKey{}, &came)
		next.ServeHTTP(&doorkeeper{ResponseWriter: w, refused: refused, came: &came}, req.WithContext(ctx))
	})
}

type knownKey struct{}

// known tells WithRefused that somebody has been recognised.
func known(ctx context.Context) {
	if came, ok := ctx.Value(knownKey{}).(*bool); ok {
		*came = true
	}
}

// doorkeeper sees an answer of 401.
type doorkeeper struct {
	http.ResponseWriter
	refused func()
	came    *bool
}

// WriteHeader is part of http.ResponseWriter.
func (d *doorkeeper) WriteHeader(code int) {
	if code == http.StatusUnauthorized && !*d.came {
		*d.came = true // one line is enough
		d.refused()
	}
	d.ResponseWriter.WriteHeader(code)
}

// Unwrap lets http.ResponseController reach the connection.
func (d *doorkeeper) Unwrap() http.ResponseWriter { return d.ResponseWriter }

// shownBy says which credentials a request shows, and not what is in them.
func shownBy(req *http.Request) string {
	var ways []string
	way, _, _ := strings.Cut(strings.TrimSpace(req.Header.Get("Authorization")), " ")
	if way = strings.ToLower(way); slices.Contains([]string{"basic", "bearer"}, way) {
		ways = append(ways, way)
	}
	if req.TLS != nil && len(req.TLS.PeerCertificates) > 0 {
		ways = append(ways, "x509")
	}
	if len(ways) == 0 {
		return "Authentication failed, no credentials provided"
	}
	return "Authentication failed, attempted: " + strings.Join(ways, ", ")
}
