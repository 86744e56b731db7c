package plugins

import (
	"context"
	"fmt"
	"slices"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
)

// exampleDenyUser is the article's first example: a request is refused by who
// sent it. The article's requests are reads ("get csr"), but admission sees
// writes only; who may read is decided by authorization. So this one guards
// what belongs to the whole cluster against everybody but its administrators.
type exampleDenyUser struct{ admission.Handler }

const administrators = "system:masters"

func (exampleDenyUser) Validate(_ context.Context, a *admission.Attributes) error {
	if a.Resource.Namespaced || slices.Contains(a.User.Groups, administrators) {
		return nil
	}
	return admission.Forbidden(a, fmt.Sprintf("user %q is not in the group %s", a.User.Name, administrators))
}

// exampleSetReplicas is the article's second example: whatever the author of a
// deployment wants, it is created with one replica.
type exampleSetReplicas struct{ admission.Handler }

func (exampleSetReplicas) Admit(_ context.Context, a *admission.Attributes) error {
	if a.Of("deployments.apps") || a.Of("replicationcontrollers") {
		rules.Make(a.Object.Fields, "spec")["replicas"] = rules.Number(1)
	}
	return nil
}
