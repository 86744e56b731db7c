package rbac

import (
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
	stage5 "example.com/kube-apiserver/stage5-serve/groups"
)

// The four resources of the group.
var (
	Roles               = row("roles", "role", "Role", true)
	RoleBindings        = row("rolebindings", "rolebinding", "RoleBinding", true)
	ClusterRoles        = row("clusterroles", "clusterrole", "ClusterRole", false)
	ClusterRoleBindings = row("clusterrolebindings", "clusterrolebinding", "ClusterRoleBinding", false)
)

func row(name, singular, kind string, namespaced bool) catalog.Resource {
	return catalog.Resource{Group: group, Version: "v1", Name: name, Singular: singular, Kind: kind, Namespaced: namespaced, StoredUnder: name}
}

// Group is the row of the group. guard says who may grant what.
//
// Upstream: pkg/registry/rbac/rest/storage_rbac.go RESTStorageProvider
func Group(guard *Guard) stage5.Group {
	return stage5.Group{
		Name: group, Version: "v1",
		Kinds: []kinds.Kind{
			{Kind: registry.Kind{Resource: ClusterRoleBindings, Strategy: bindings(guard, false)}, Columns: bindingColumns},
			{Kind: registry.Kind{Resource: ClusterRoles, Strategy: roles(guard, false)}, Columns: roleColumns},
			{Kind: registry.Kind{Resource: RoleBindings, Strategy: bindings(guard, true)}, Columns: bindingColumns},
			{Kind: registry.Kind{Resource: Roles, Strategy: roles(guard, true)}, Columns: roleColumns},
		},
		Installed: func(storages map[string]rest.Storage) { guard.policy = stored(storages) },
	}
}

func roles(guard *Guard, namespaced bool) registry.Strategy {
	return registry.Strategy{
		AllowCreateOnUpdate: true, ValidateName: metadata.PathSegment, Validate: checkRole(namespaced),
		PrepareForCreate: guard.createRole, PrepareForUpdate: guard.updateRole,
	}
}

func bindings(guard *Guard, namespaced bool) registry.Strategy {
	return registry.Strategy{
		AllowCreateOnUpdate: true, ValidateName: metadata.PathSegment, Default: defaultBinding,
		Validate: checkBinding(namespaced), ValidateUpdate: checkBindingUpdate(namespaced),
		PrepareForCreate: guard.createBinding, PrepareForUpdate: guard.updateBinding,
	}
}

// defaultBinding: users, groups and roles are of this API group.
//
// Upstream: pkg/apis/rbac/v1beta1/defaults.go SetDefaults_ClusterRoleBinding
// Now: pkg/apis/rbac/v1/defaults.go SetDefaults_ClusterRoleBinding
func defaultBinding(o *object.Object) {
	if ref := rules.Map(o.Fields, "roleRef"); ref != nil {
		rules.Fill(ref, "apiGroup", group)
	}
	for _, s := range rules.Items(o.Fields, "subjects") {
		if kind := rules.Text(s, "kind"); kind == "User" || kind == "Group" {
			rules.Fill(s, "apiGroup", group)
		}
	}
}

// roleColumns are shown by clients as "created at".
var roleColumns = []printers.Column{
	printers.Name,
	{Name: "Created At", Type: "date", Of: "metadata.creationTimestamp", Cell: func(o *object.Object) any { return o.Meta.CreationTimestamp }},
}

var bindingColumns = []printers.Column{
	printers.Name,
	{Name: "Role", Type: "string", Of: "roleRef", Cell: func(o *object.Object) any {
		return rules.Text(o.Fields, "roleRef", "kind") + "/" + rules.Text(o.Fields, "roleRef", "name")
	}},
	printers.Age,
	{Name: "Users", Type: "string", Priority: 1, Text: "Users in the binding", Cell: subjectsOf("User")},
	{Name: "Groups", Type: "string", Priority: 1, Text: "Groups in the binding", Cell: subjectsOf("Group")},
	{Name: "ServiceAccounts", Type: "string", Priority: 1, Text: "ServiceAccounts in the binding", Cell: subjectsOf("ServiceAccount")},
}

// subjectsOf is a cell with the names of all subjects of a kind.
func subjectsOf(kind string) func(*object.Object) any {
	return func(o *object.Object) any {
		var names []string
		for _, s := range bindingOf(o).Subjects {
			switch {
			case s.Kind != kind:
			case kind == "ServiceAccount":
				names = append(names, s.Namespace+"/"+s.Name)
			default:
				names = append(names, s.Name)
			}
		}
		return strings.Join(names, ", ")
	}
}
