package authenticator

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// RequestHeader believes a proxy in front that says in headers who the user
// is. The proxy shows a client certificate of its own; without it the headers
// count nothing.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/request/headerrequest/requestheader.go NewSecure
// Now: staging/src/k8s.io/apiserver/pkg/authentication/request/headerrequest/requestheader.go NewDynamicVerifyOptionsSecure
type RequestHeader struct {
	Authorities                    *x509.CertPool
	AllowedNames                   []string // of its certificate; none: any
	Users, Groups, ExtraBeginnings []string // names of headers, and how names begin
}

// Authenticate is part of Authenticator. The headers are gone afterwards,
// believed or not.
func (a RequestHeader) Authenticate(req *http.Request) (request.User, bool, error) {
	defer a.Clear(req.Header)
	if req.TLS == nil || len(req.TLS.PeerCertificates) == 0 {
		return request.User{}, false, nil
	}
	cert, err := verified(req.TLS.PeerCertificates, a.Authorities)
	if err != nil {
		return request.User{}, false, nil // a user's certificate, most likely: another authenticator's business
	}
	if len(a.AllowedNames) > 0 && !slices.Contains(a.AllowedNames, cert.Subject.CommonName) {
		return request.User{}, false, fmt.Errorf("a proxy with the name %q is not allowed to speak for users", cert.Subject.CommonName)
	}
	user := request.User{Name: first(req.Header, a.Users)}
	if user.Name == "" {
		return request.User{}, false, nil
	}
	for _, name := range a.Groups {
		user.Groups = append(user.Groups, req.Header.Values(name)...)
	}
	user.Extra = a.extra(req.Header)
	return user, true, nil
}

func first(h http.Header, names []string) string {
	for _, name := range names {
		if v := h.Get(name); v != "" {
			return v
		}
	}
	return ""
}

func (a RequestHeader) extra(h http.Header) map[string][]string {
	extra := map[string][]string{}
	for name, values := range h {
		for _, beginning := range a.ExtraBeginnings {
			if len(name) <= len(beginning) || !strings.EqualFold(name[:len(beginning)], beginning) {
				continue
			}
			key := strings.ToLower(name[len(beginning):]) // headers have no case of their own
			if plain, err := url.PathUnescape(key); err == nil {
				key = plain
			}
			extra[key] = append(extra[key], values...)
		}
	}
	return extra
}

// StandardHeaders are those that proxies in front mostly use.
var StandardHeaders = RequestHeader{Users: []string{"X-Remote-User", "X-Remote-Uid"}, Groups: []string{"X-Remote-Group"}, ExtraBeginnings: []string{"X-Remote-Extra-"}}

// Clear takes the headers away, so that nobody behind believes them again: a
// request may go on from here to a kubelet, a pod or another API server, which
// may think that this one has written them.
//
// Now: staging/src/k8s.io/apiserver/pkg/authentication/request/headerrequest/requestheader.go ClearAuthenticationHeaders
func (a RequestHeader) Clear(h http.Header) {
	for _, name := range slices.Concat(a.Users, a.Groups) {
		h.Del(name)
	}
	for name := range h {
		if slices.ContainsFunc(a.ExtraBeginnings, func(b string) bool { return len(name) >= len(b) && strings.EqualFold(name[:len(b)], b) }) {
			h.Del(name)
		}
	}
}
