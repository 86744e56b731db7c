package filters

import (
	"fmt"
	"net/http"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

// WithAuthentication puts the user into the request's context, or answers 401.
// The credentials go no further.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/authentication.go WithAuthentication
func WithAuthentication(a authenticator.Authenticator, formats []endpoints.Format) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			user, ok, err := a.Authenticate(req)
			if !ok || err != nil {
				endpoints.WriteStatus(formats, w, req, status.New(http.StatusUnauthorized, "Unauthorized", "Unauthorized", nil))
				return
			}
			req = req.WithContext(request.WithUser(req.Context(), user))
			req.Header.Del("Authorization")
			next.ServeHTTP(w, req)
		})
	}
}

// WithAuthorization answers 403 unless the authorizer allows the request. An
// error of the authorizer lets nobody in.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/authorization.go WithAuthorization
func WithAuthorization(a authorizer.Authorizer, formats []endpoints.Format) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			user, info := request.UserFrom(req.Context()), request.InfoFrom(req.Context())
			decision, err := a.Authorize(req.Context(), user, info)
			if decision == authorizer.Allow && err == nil {
				next.ServeHTTP(w, req)
				return
			}
			endpoints.WriteStatus(formats, w, req, refusal(user, info))
		})
	}
}

// refusal says what the user may not do, in the words of today's server.
func refusal(user request.User, info request.Info) *status.Status {
	if !info.IsResource {
		return status.New(http.StatusForbidden, "Forbidden", fmt.Sprintf("forbidden: User %q cannot %s path %q", user.Name, info.Verb, info.Path), &status.Details{})
	}
	resource := info.Resource
	if info.Subresource != "" {
		resource += "/" + info.Subresource
	}
	where := "at the cluster scope"
	if info.Namespace != "" {
		where = fmt.Sprintf("in the namespace %q", info.Namespace)
	}
	why := fmt.Sprintf("User %q cannot %s resource %q in API group %q %s", user.Name, info.Verb, resource, info.Group, where)
	return status.Forbidden(status.Resource{Group: info.Group, Name: info.Resource}, info.Name, why)
}
