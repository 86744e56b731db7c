package filters

import (
	"context"
	"fmt"
	"net/http"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

// WithAuthentication puts the user into the request's context, or answers 401.
// The credentials go no further, so that nothing behind can log or forward
// them; nor do headers that only a proxy in front may write.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/authentication.go WithAuthentication
func WithAuthentication(a authenticator.Authenticator, formats []negotiation.Format) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			user, ok, err := a.Authenticate(req)
			if !ok || err != nil { // what was bad about it is not told
				negotiation.WriteStatus(formats, w, req, status.New(http.StatusUnauthorized, "Unauthorized", "Unauthorized", nil))
				return
			}
			req = req.WithContext(request.WithUser(req.Context(), user))
			req.Header.Del("Authorization")
			authenticator.StandardHeaders.Clear(req.Header)
			next.ServeHTTP(w, req)
		})
	}
}

// WithAuthorization answers 403 unless the authorizer allows the request, and
// 500 if it fails. An error of the authorizer lets nobody in.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/authorization.go WithAuthorization
func WithAuthorization(a authorizer.Authorizer, formats []negotiation.Format) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			attributes, err := attributesOf(req)
			if err == nil {
				err = allowed(req, noted{a}, attributes)
			}
			if err != nil {
				negotiation.WriteStatus(formats, w, req, status.From(err))
				return
			}
			next.ServeHTTP(w, req)
		})
	}
}

// attributesOf collects what earlier filters found out. A context without a
// user counts elsewhere as that of the port without authentication, whose user
// may do everything; here it is a chain in the wrong order.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/authorization.go GetAuthorizerAttributes
func attributesOf(req *http.Request) (authorizer.Attributes, error) {
	a := authorizer.Attributes{User: request.UserFrom(req.Context()), Info: request.InfoFrom(req.Context())}
	switch {
	case a.User.Name == request.Unsecured.Name:
		return a, status.Internal(fmt.Errorf("no user found for request"))
	case a.Path == "" && req.URL.Path != "":
		return a, status.Internal(fmt.Errorf("no RequestInfo found in the context"))
	}
	return a, nil
}

// allowed returns a Status unless the authorizer allows it without any doubt.
func allowed(req *http.Request, a authorizer.Authorizer, attributes authorizer.Attributes) error {
	decision, reason, err := a.Authorize(req.Context(), attributes)
	switch {
	case err != nil:
		return status.Internal(err)
	case decision != authorizer.Allow:
		return forbidden(attributes, reason)
	}
	return nil
}

// MayAlso says whether the user of a request could have made it with another
// verb as well, where one verb is not enough.
func MayAlso(a authorizer.Authorizer) func(ctx context.Context, verb string) error {
	return func(ctx context.Context, verb string) error {
		attributes := authorizer.Attributes{User: request.UserFrom(ctx), Info: request.InfoFrom(ctx)}
		if attributes.Verb == verb || attributes.User.Name == request.Unsecured.Name { // the plain port asks nobody
			return nil
		}
		attributes.Verb = verb
		decision, reason, err := a.Authorize(ctx, attributes)
		if err != nil || decision == authorizer.Allow {
			return err
		}
		return status.Forbidden(status.Resource{Group: attributes.Group, Name: attributes.Resource}, attributes.Name, reason)
	}
}

// forbidden says what the user may not do, in the words of today's server.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go Forbidden
func forbidden(a authorizer.Attributes, reason string) *status.Status {
	if reason != "" {
		reason = ": " + reason
	}
	if !a.IsResource {
		return status.New(http.StatusForbidden, "Forbidden",
			fmt.Sprintf("forbidden: User %q cannot %s path %q%s", a.User.Name, a.Verb, a.Path, reason), &status.Details{})
	}
	resource := a.Resource
	if a.Subresource != "" {
		resource += "/" + a.Subresource
	}
	where := "at the cluster scope"
	if a.Namespace != "" {
		where = fmt.Sprintf("in the namespace %q", a.Namespace)
	}
	return status.Forbidden(status.Resource{Group: a.Group, Name: a.Resource}, a.Name,
		fmt.Sprintf("User %q cannot %s resource %q in API group %q %s%s", a.User.Name, a.Verb, resource, a.Group, where, reason))
}
