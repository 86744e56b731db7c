package filters

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

const (
	authentication = "authentication.k8s.io"
	nodeMode       = "arbitrary-node"
	nodePrefix     = "system:node:"
)

// mode is one way to be allowed. Its verb is impersonate:NAME, and what is to
// be done as that user needs impersonate-on:NAME:VERB besides.
type mode struct {
	name string
	fits func(wanted request.User) bool
}

// modes are tried in this order; the first that allows it will do, the first
// that refuses it is told. The last is the one of 1.7: its verb is impersonate,
// and nothing more is needed.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation.go WithImpersonation
var modes = []mode{
	{nodeMode, func(u request.User) bool { return isNode(u.Name) && nameOnly(u) }},
	{"serviceaccount", func(u request.User) bool { return isServiceAccount(u.Name) && nameOnly(u) }},
	{"user-info", func(u request.User) bool { return !isNode(u.Name) && !isServiceAccount(u.Name) }},
	{"", func(request.User) bool { return true }},
}

// remembered is which mode last let a user impersonate: it is tried first the
// next time, so that who always goes the old way is not slowed down by the new
// ones. It changes the order of questions and no answer.
type remembered struct {
	mu    sync.Mutex
	modes map[string]int // by the name of the user who asks
}

// maxRemembered bounds the memory; who was forgotten is learned anew.
const maxRemembered = 10_000

func (r *remembered) set(user string, i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.modes == nil || len(r.modes) >= maxRemembered {
		r.modes = map[string]int{}
	}
	r.modes[user] = i
}

// order is that in which the modes are tried for a user.
func (r *remembered) order(user string) []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	first, known := r.modes[user]
	var list []int
	if known {
		list = append(list, first)
	}
	for i := range modes {
		if !known || i != first {
			list = append(list, i)
		}
	}
	return list
}

// impersonate returns the user as whom the request goes on.
func (r *remembered) impersonate(req *http.Request, a authorizer.Authorizer, wanted request.User) (request.User, error) {
	attributes, err := attributesOf(req)
	if err != nil {
		return wanted, err
	}
	var first error
	for _, i := range r.order(attributes.User.Name) {
		m := modes[i]
		if !m.fits(wanted) {
			continue
		}
		err := m.check(req, a, attributes, wanted)
		switch {
		case err == nil:
			r.set(attributes.User.Name, i)
			return m.groups(wanted), nil
		case !status.Is(err, "Forbidden"):
			return wanted, err // an authorizer that fails lets nobody in by another way
		case first == nil:
			first = err
		}
	}
	return wanted, first
}

// check asks all questions of a mode.
func (m mode) check(req *http.Request, a authorizer.Authorizer, attributes authorizer.Attributes, wanted request.User) error {
	if m.name != "" {
		on := attributes
		on.Verb = "impersonate-on:" + m.name + ":" + on.Verb
		if err := allowed(req, a, on); err != nil {
			return err
		}
	}
	for _, question := range m.questions(wanted) {
		question.User = attributes.User
		if reason := m.never(question); reason != "" {
			return forbidden(question, reason)
		}
		if err := allowed(req, a, question); err != nil {
			return err
		}
	}
	return nil
}

// questions are what the client has to be allowed, one for each thing that he
// says of himself.
func (m mode) questions(wanted request.User) []authorizer.Attributes {
	verb, group := "impersonate", "" // where 1.7 put users and groups
	if m.name != "" {
		verb, group = "impersonate:"+m.name, authentication
	}
	var list []authorizer.Attributes
	ask := func(group, resource, subresource, namespace, name string) {
		list = append(list, authorizer.Attributes{Info: request.Info{
			IsResource: true, Verb: verb, Group: group, Version: "v1", Resource: resource, Subresource: subresource, Namespace: namespace, Name: name,
		}})
	}
	switch namespace, name, ok := serviceAccount(wanted.Name); {
	case ok:
		ask(group, "serviceaccounts", "", namespace, name)
	case m.name == nodeMode:
		ask(group, "nodes", "", "", strings.TrimPrefix(wanted.Name, nodePrefix))
	default:
		ask(group, "users", "", "", wanted.Name)
	}
	if wanted.UID != "" {
		ask(authentication, "uids", "", "", wanted.UID)
	}
	for _, g := range wanted.Groups {
		ask(group, "groups", "", "", g)
	}
	for _, key := range slices.Sorted(maps.Keys(wanted.Extra)) {
		for _, value := range wanted.Extra[key] {
			ask(authentication, "userextras", key, "", value)
		}
	}
	return list
}

// never says why nobody may, whatever his roles; only the mode of 1.7 knows no
// such limits.
func (m mode) never(q authorizer.Attributes) (reason string) {
	switch {
	case m.name == "":
		return ""
	case q.Resource == "groups" && q.Name == "":
		return "impersonating the empty string group is not allowed"
	case q.Resource == "groups" && q.Name == authenticator.SystemPrivilegedGroup:
		return "impersonating the system:masters group is not allowed"
	case q.Resource == "userextras" && q.Subresource == "":
		return "impersonating the empty string key in extra is not allowed"
	case q.Resource == "userextras" && q.Name == "":
		return "impersonating the empty string value in extra is not allowed"
	}
	return ""
}

// groups adds those that follow from the name, where the client gave none, and
// the one of all users.
func (m mode) groups(u request.User) request.User {
	namespace, _, ok := serviceAccount(u.Name)
	switch {
	case m.name == nodeMode:
		u.Groups = []string{"system:nodes"}
	case ok && len(u.Groups) == 0:
		u.Groups = []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace}
	case u.Name == authenticator.AnonymousUser && !slices.Contains(u.Groups, authenticator.AllUnauthenticated):
		u.Groups = append(u.Groups, authenticator.AllUnauthenticated)
	}
	return authenticator.WithAuthenticatedGroup(u)
}

// serviceAccount takes the name of a service account's user apart.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go SplitUsername
func serviceAccount(user string) (namespace, name string, ok bool) {
	rest, ok := strings.CutPrefix(user, "system:serviceaccount:")
	namespace, name, _ = strings.Cut(rest, ":")
	return namespace, name, ok && metadata.DNSLabel(namespace) == nil && metadata.DNSSubdomain(name) == nil
}

func isServiceAccount(user string) bool {
	_, _, ok := serviceAccount(user)
	return ok
}

func isNode(user string) bool {
	name, ok := strings.CutPrefix(user, nodePrefix)
	return ok && metadata.DNSSubdomain(name) == nil
}

func nameOnly(u request.User) bool { return u.UID == "" && len(u.Groups) == 0 && len(u.Extra) == 0 }
