package filters

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

// WithImpersonation makes the request one of the user in its Impersonate
// headers, if the user who sent it may do that.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation.go WithImpersonation
func WithImpersonation(a authorizer.Authorizer, formats []negotiation.Format) func(http.Handler) http.Handler {
	var last remembered
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			wanted, ok, err := readHeaders(req.Header)
			if err == nil && ok {
				wanted, err = last.impersonate(req, a, wanted)
			}
			if err != nil {
				negotiation.WriteStatus(formats, w, req, status.From(err))
				return
			}
			if ok {
				req = req.WithContext(request.WithUser(req.Context(), wanted))
				maps.DeleteFunc(req.Header, func(name string, _ []string) bool { return strings.HasPrefix(name, "Impersonate-") })
			}
			next.ServeHTTP(w, req)
		})
	}
}

// readHeaders reads whom the client wants to be; ok is false for himself.
func readHeaders(h http.Header) (wanted request.User, ok bool, err error) {
	wanted = request.User{Name: h.Get("Impersonate-User"), UID: h.Get("Impersonate-Uid"), Groups: slices.Clone(h["Impersonate-Group"])}
	more := wanted.UID != "" || len(wanted.Groups) > 0
	for name, values := range h {
		key, found := strings.CutPrefix(name, "Impersonate-Extra-")
		if !found {
			continue
		}
		more = true
		key = strings.ToLower(key) // headers have no case of their own
		if plain, err := url.PathUnescape(key); err == nil {
			key = plain
		}
		if wanted.Extra == nil {
			wanted.Extra = map[string][]string{}
		}
		wanted.Extra[key] = append(wanted.Extra[key], values...)
	}
	if wanted.Name == "" && more {
		return wanted, false, status.BadRequest("requested &user.DefaultInfo{Name:%q, UID:%q, Groups:%#v, Extra:%#v} without impersonating a user name",
			wanted.Name, wanted.UID, wanted.Groups, wanted.Extra)
	}
	return wanted, wanted.Name != "", nil
}
