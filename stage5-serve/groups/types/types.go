package types

import (
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	events "k8s.io/api/events/v1"
	rbac "k8s.io/api/rbac/v1"

	"example.com/kube-apiserver/stage3-storage/wire/builtin"
)

// Groups are the rows for builtin.New.
var Groups = []builtin.Group{
	{APIVersion: "rbac.authorization.k8s.io/v1", Tags: tags, Kinds: []builtin.Message{
		&rbac.Role{}, &rbac.RoleList{}, &rbac.RoleBinding{}, &rbac.RoleBindingList{},
		&rbac.ClusterRole{}, &rbac.ClusterRoleList{}, &rbac.ClusterRoleBinding{}, &rbac.ClusterRoleBindingList{},
	}},
	{APIVersion: "authentication.k8s.io/v1", Tags: tags, Kinds: []builtin.Message{
		&authentication.TokenReview{}, &authentication.TokenRequest{}, &authentication.SelfSubjectReview{},
	}},
	{APIVersion: "authorization.k8s.io/v1", Tags: tags, Kinds: []builtin.Message{
		&authorization.SubjectAccessReview{}, &authorization.SelfSubjectAccessReview{}, &authorization.LocalSubjectAccessReview{},
		&authorization.SelfSubjectRulesReview{},
	}},
	{APIVersion: "events.k8s.io/v1", Tags: tags, Kinds: []builtin.Message{&events.Event{}, &events.EventList{}}},
}
