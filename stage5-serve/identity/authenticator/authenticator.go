package authenticator

import (
	"errors"
	"net/http"
	"slices"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// Authenticator recognises a user. ok is false where the request shows nothing
// that it understands; an error says that it shows something bad.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/authenticator/interfaces.go Request
type Authenticator interface {
	Authenticate(req *http.Request) (user request.User, ok bool, err error)
}

// Names that the whole server knows.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/user/user.go SystemPrivilegedGroup
const (
	AllAuthenticated      = "system:authenticated"   // the group of all who were recognised
	AllUnauthenticated    = "system:unauthenticated" // the group of all others
	SystemPrivilegedGroup = "system:masters"         // the group that may do everything
	AnonymousUser         = "system:anonymous"
	APIServerUser         = "system:apiserver" // the server's own client
)

// Union asks one after the other; the first that recognises the user decides,
// whatever those before it found bad. Where none does, the errors of all are
// returned. Who was recognised is in the group AllAuthenticated.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/request/union/union.go New
type Union []Authenticator

// Authenticate is part of Authenticator.
func (u Union) Authenticate(req *http.Request) (request.User, bool, error) {
	var errs []error
	for _, a := range u {
		if _, gullible := a.(Anonymous); gullible && len(errs) > 0 {
			break // who shows something bad is not let in as nobody
		}
		user, ok, err := a.Authenticate(req)
		if ok && err == nil {
			return WithAuthenticatedGroup(user), true, nil
		}
		said := func(e error) bool { return e.Error() == err.Error() }
		if err != nil && !slices.ContainsFunc(errs, said) {
			errs = append(errs, err)
		}
	}
	return request.User{}, false, errors.Join(errs...)
}

// WithAuthenticatedGroup adds the group AllAuthenticated, but not to who is known to be nobody.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/group/authenticated_group_adder.go NewAuthenticatedGroupAdder
func WithAuthenticatedGroup(user request.User) request.User {
	if user.Name == AnonymousUser || slices.Contains(user.Groups, AllAuthenticated) || slices.Contains(user.Groups, AllUnauthenticated) {
		return user
	}
	user.Groups = append(slices.Clone(user.Groups), AllAuthenticated) // never into somebody else's array
	return user
}

// Anonymous recognises everybody as nobody. It comes last in a Union.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/request/anonymous/anonymous.go NewAuthenticator
type Anonymous struct{}

// Authenticate is part of Authenticator.
func (Anonymous) Authenticate(*http.Request) (request.User, bool, error) {
	return request.User{Name: AnonymousUser, Groups: []string{AllUnauthenticated}}, true, nil
}
