package rbac

import (
	"slices"
	"strings"

	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

type rule authorizer.PolicyRule

// bootstrapRole is a row: a role, and the binding of the same name that gives
// it to its subjects. Without subjects there is no binding.
type bootstrapRole struct {
	name, namespace string
	rules           []rule
	of, to          string // aggregation: the role is made of those with the label of, and is part of to
	subjects        []authorizer.Subject
	binding         string // its name, where it is another
}

// Verbs that rules have together.
const (
	read      = "get list watch"
	write     = "create delete deletecollection patch update"
	readWrite = "create delete deletecollection get list patch update watch"
)

// sendEvents is what nearly everybody may do: report what happened.
var sendEvents = on("core events.k8s.io", "events", "create patch update")

// on makes a rule about resources. All three are lists with spaces between;
// "core" is the group without a name.
func on(groups, resources, verbs string) rule {
	r := rule{APIGroups: strings.Fields(groups), Resources: strings.Fields(resources), Verbs: strings.Fields(verbs)}
	if i := slices.Index(r.APIGroups, "core"); i >= 0 {
		r.APIGroups[i] = ""
	}
	return r
}

// named limits a rule to some objects.
func (r rule) named(names ...string) rule {
	r.ResourceNames = names
	return r
}

// urls makes a rule about paths that are no resources.
func urls(paths, verbs string) rule {
	return rule{NonResourceURLs: strings.Fields(paths), Verbs: strings.Fields(verbs)}
}

func subjects(kind, namespace string, names []string) []authorizer.Subject {
	var list []authorizer.Subject
	for _, name := range names {
		list = append(list, authorizer.Subject{Kind: kind, Namespace: namespace, Name: name})
	}
	return list
}

func users(names ...string) []authorizer.Subject  { return subjects("User", "", names) }
func groups(names ...string) []authorizer.Subject { return subjects("Group", "", names) }
func accounts(names ...string) []authorizer.Subject {
	return subjects("ServiceAccount", "kube-system", names)
}

// bootstrap are all rows.
func bootstrap() []bootstrapRole {
	list := slices.Concat(bootstrapRoles, namespaceRoles)
	for _, r := range controllerRoles {
		r.subjects = accounts(r.name)
		r.name = "system:controller:" + r.name
		list = append(list, r)
	}
	return list
}

// Builtin is the policy of the built-in roles alone, without a server.
//
// Upstream: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go ClusterRoles
func Builtin() authorizer.Fixed {
	var f authorizer.Fixed
	for _, row := range bootstrap() {
		role, binding := row.objects()
		f.Roles = append(f.Roles, roleOf(role))
		if row.subjects != nil {
			f.Bound = append(f.Bound, bindingOf(binding))
		}
	}
	return f
}
