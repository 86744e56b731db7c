package authorizer_test

import (
	"context"
	"errors"
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

func TestARuleAllowsWhatItSaysAndNoMore(t *testing.T) {
	type rule = authorizer.PolicyRule
	get := func(group, resource, subresource, name string) request.Info {
		return request.Info{IsResource: true, Verb: "get", Group: group, Resource: resource, Subresource: subresource, Name: name}
	}
	one := func(s ...string) []string { return s }
	for _, c := range []struct {
		rule rule
		want request.Info
		ok   bool
	}{
		{rule{Verbs: one("get"), APIGroups: one(""), Resources: one("pods")}, get("", "pods", "", "p"), true},
		{rule{Verbs: one("list"), APIGroups: one(""), Resources: one("pods")}, get("", "pods", "", "p"), false},
		{rule{Verbs: one("*"), APIGroups: one("*"), Resources: one("*")}, get("apps", "deployments", "scale", "d"), true},
		{rule{Verbs: one("get"), APIGroups: one(""), Resources: one("pods")}, get("apps", "pods", "", "p"), false},
		{rule{Verbs: one("get"), APIGroups: one(""), Resources: one("pods")}, get("", "pods", "log", "p"), false},
		{rule{Verbs: one("get"), APIGroups: one(""), Resources: one("pods/log")}, get("", "pods", "log", "p"), true},
		{rule{Verbs: one("get"), APIGroups: one(""), Resources: one("pods/log")}, get("", "pods", "", "p"), false},
		{rule{Verbs: one("get"), APIGroups: one("apps"), Resources: one("*/scale")}, get("apps", "deployments", "scale", "d"), true},
		{rule{Verbs: one("get"), APIGroups: one("apps"), Resources: one("*/scale")}, get("apps", "deployments", "status", "d"), false},
		{rule{Verbs: one("get"), APIGroups: one("apps"), Resources: one("*/scale")}, get("apps", "deployments", "", "d"), false},
		{rule{Verbs: one("get"), APIGroups: one(""), Resources: one("pods"), ResourceNames: one("p")}, get("", "pods", "", "p"), true},
		{rule{Verbs: one("get"), APIGroups: one(""), Resources: one("pods"), ResourceNames: one("p")}, get("", "pods", "", "q"), false},
		{rule{Verbs: one("get"), APIGroups: one(""), Resources: one("pods"), ResourceNames: one("p")}, get("", "pods", "", ""), false},
		{rule{Verbs: one("get"), APIGroups: one(""), Resources: one("pods"), ResourceNames: one("*")}, get("", "pods", "", "p"), false},
		{rule{Verbs: one("get"), NonResourceURLs: one("/logs/*")}, path("get", "/logs/x/y"), true},
		{rule{Verbs: one("get"), NonResourceURLs: one("/logs/*")}, path("get", "/logs"), false},
		{rule{Verbs: one("get"), NonResourceURLs: one("/logs")}, path("get", "/logs/x"), false},
		{rule{Verbs: one("get"), NonResourceURLs: one("/logs")}, path("post", "/logs"), false},
		{rule{Verbs: one("*"), NonResourceURLs: one("*")}, path("post", "/anything"), true},
		{rule{Verbs: one("*"), NonResourceURLs: one("*")}, get("", "pods", "", "p"), false},
		{rule{Verbs: one("*"), APIGroups: one("*"), Resources: one("*")}, path("get", "/healthz"), false},
		{rule{}, get("", "pods", "", "p"), false},
	} {
		if got := c.rule.Allows(authorizer.Attributes{User: alice, Info: c.want}); got != c.ok {
			t.Errorf("rule %+v on %+v: want %v, got %v", c.rule, c.want, c.ok, got)
		}
	}
}

// policy: alice may list pods in default, a robot in default everywhere.
var policy = authorizer.Fixed{
	Roles: []authorizer.Role{
		{Name: "lister", Rules: []authorizer.PolicyRule{{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"pods"}}}},
		{Namespace: "default", Name: "lister", Rules: []authorizer.PolicyRule{{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"secrets"}}}},
	},
	Bound: []authorizer.Binding{
		{Namespace: "default", Name: "gone", RoleRef: authorizer.RoleRef{Kind: "Role", Name: "gone"}, Subjects: []authorizer.Subject{{Kind: "User", Name: "alice"}}},
		{Namespace: "default", Name: "some", RoleRef: authorizer.RoleRef{Kind: "ClusterRole", Name: "lister"}, Subjects: []authorizer.Subject{{Kind: "User", Name: "bob"}, {Kind: "Group", Name: "devs"}}},
		{Namespace: "default", Name: "secret", RoleRef: authorizer.RoleRef{Kind: "Role", Name: "lister"}, Subjects: []authorizer.Subject{{Kind: "ServiceAccount", Name: "robot"}}},
		{Name: "all", RoleRef: authorizer.RoleRef{Kind: "ClusterRole", Name: "lister"}, Subjects: []authorizer.Subject{{Kind: "ServiceAccount", Namespace: "default", Name: "robot"}}},
		{Name: "wrong", RoleRef: authorizer.RoleRef{Kind: "Role", Name: "lister"}, Subjects: []authorizer.Subject{{Kind: "User", Name: "carol"}}},
		{Name: "homeless", RoleRef: authorizer.RoleRef{Kind: "ClusterRole", Name: "lister"}, Subjects: []authorizer.Subject{{Kind: "ServiceAccount", Name: "stray"}}},
	},
}

func TestABindingHoldsWhereItIsAndForWhomItNames(t *testing.T) {
	in := func(namespace, resource string) request.Info {
		info := listing
		info.Namespace, info.Resource = namespace, resource
		return info
	}
	robot := request.User{Name: "system:serviceaccount:default:robot"}
	for _, c := range []struct {
		user request.User
		info request.Info
		want string // the reason if it is allowed
	}{
		{alice, in("default", "pods"), `RBAC: allowed by RoleBinding "some/default" of ClusterRole "lister" to Group "devs"`},
		{alice, in("other", "pods"), ""},
		{alice, in("", "pods"), ""},
		{alice, in("default", "secrets"), ""},
		{robot, in("other", "pods"), `RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "lister" to ServiceAccount "robot/default"`},
		{robot, in("default", "secrets"), `RBAC: allowed by RoleBinding "secret/default" of Role "lister" to ServiceAccount "robot/default"`},
		{robot, in("other", "secrets"), ""},
		{request.User{Name: "robot"}, in("default", "pods"), ""},
		{request.User{Name: "devs"}, in("default", "pods"), ""}, // a user with the name of a group
		{request.User{Name: "x", Groups: []string{"bob"}}, in("default", "pods"), ""},
		{request.User{Name: "system:serviceaccount::stray"}, in("default", "pods"), ""},
	} {
		d, reason := decide(t, authorizer.RBAC{Policy: policy}, c.user, c.info)
		if (d == authorizer.Allow) != (c.want != "") || d == authorizer.Allow && reason != c.want {
			t.Errorf("%s lists %s in %q: want %q, got %v (%s)", c.user.Name, c.info.Resource, c.info.Namespace, c.want, d, reason)
		}
	}
}

func TestARoleThatCannotBeReadIsToldAndGivesNothing(t *testing.T) {
	info := listing
	info.Resource = "secrets"
	for user, want := range map[string]string{
		"alice": `RBAC: role.rbac.authorization.k8s.io "gone" not found`,
		"carol": `RBAC: ClusterRoleBinding "wrong": unsupported role reference kind: "Role"`,
	} {
		if d, reason := decide(t, authorizer.RBAC{Policy: policy}, request.User{Name: user}, info); d != authorizer.NoOpinion || reason != want {
			t.Errorf("%s has a binding to a role that is not there: want %q, got %v (%s)", user, want, d, reason)
		}
	}
}

// unreadable cannot list the bindings of the cluster.
type unreadable struct{ authorizer.Fixed }

func (u unreadable) Bindings(ctx context.Context, namespace string) ([]authorizer.Binding, error) {
	if namespace == "" {
		return nil, errors.New("the store is closed")
	}
	return u.Fixed.Bindings(ctx, namespace)
}

func TestBindingsThatCannotBeReadGiveNothing(t *testing.T) {
	robot := request.User{Name: "system:serviceaccount:default:robot"}
	if d, reason := decide(t, authorizer.RBAC{Policy: unreadable{policy}}, robot, listing); d != authorizer.NoOpinion || reason != "RBAC: the store is closed" {
		t.Errorf("without the bindings of the cluster the robot may not list pods, and should learn why, got %v (%s)", d, reason)
	}
	if d, _ := decide(t, authorizer.RBAC{Policy: unreadable{policy}}, request.User{Name: "bob"}, listing); d != authorizer.Allow {
		t.Errorf("bob's binding is in the namespace and could be read, got %v", d)
	}
}

func TestEverybodyHasTheBuiltInRolesAndNoMore(t *testing.T) {
	review := request.Info{IsResource: true, Verb: "create", Group: "authorization.k8s.io", Resource: "selfsubjectaccessreviews"}
	for _, c := range []struct {
		info          request.Info
		alice, nobody bool
	}{
		{path("get", "/healthz"), true, true},
		{path("get", "/version"), true, true},
		{path("get", "/readyz"), true, true},
		{path("get", "/readyz/ping"), false, false},
		{path("get", "/api"), true, false},
		{path("get", "/apis/apps/v1"), true, false},
		{path("get", "/openapi/v3"), true, false},
		{path("get", "/metrics"), false, false},
		{path("post", "/api"), false, false},
		{review, true, false},
		{request.Info{IsResource: true, Verb: "create", Group: "authentication.k8s.io", Resource: "selfsubjectreviews"}, true, false},
		{listing, false, false},
	} {
		for user, want := range map[string]bool{"alice": c.alice, "nobody": c.nobody} {
			u := map[string]request.User{"alice": alice, "nobody": nobody}[user]
			if d, reason := decide(t, authorizer.RBAC{Policy: rbac.Builtin()}, u, c.info); (d == authorizer.Allow) != want {
				t.Errorf("%s %s %s%s: want allowed %v, got %v (%s)", user, c.info.Verb, c.info.Resource, c.info.Path, want, d, reason)
			}
		}
	}
}

func TestTheAdministratorIsAllowedByARoleToo(t *testing.T) {
	for _, info := range []request.Info{listing, path("delete", "/anything")} {
		_, reason := decide(t, authorizer.RBAC{Policy: rbac.Builtin()}, admin, info)
		if want := `RBAC: allowed by ClusterRoleBinding "cluster-admin" of ClusterRole "cluster-admin" to Group "system:masters"`; reason != want {
			t.Errorf("want %s, got %q", want, reason)
		}
	}
}
