package authorizer_test

import (
	"context"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

// What the built-in roles let three users do.
func Example() {
	permissions, err := authorizer.ForModes([]string{"RBAC"}, map[string]authorizer.Authorizer{"RBAC": authorizer.RBAC{Policy: rbac.Builtin()}})
	if err != nil {
		fmt.Println(err)
		return
	}
	pods := request.Info{IsResource: true, Verb: "list", Resource: "pods", Namespace: "default"}
	for _, a := range []authorizer.Attributes{
		{User: request.User{Name: "alice", Groups: []string{"system:authenticated"}}, Info: pods},
		{User: request.User{Name: "alice", Groups: []string{"system:authenticated"}}, Info: request.Info{Verb: "get", Path: "/api"}},
		{User: request.User{Name: "admin", Groups: []string{"system:masters"}}, Info: pods},
	} {
		decision, reason, _ := permissions.Authorize(context.Background(), a)
		fmt.Printf("%s, %s %s: %v %q\n", a.User.Name, a.Verb, a.Resource+a.Path, decision, reason)
	}
	// Output:
	// alice, list pods: NoOpinion ""
	// alice, get /api: Allow "RBAC: allowed by ClusterRoleBinding \"system:discovery\" of ClusterRole \"system:discovery\" to Group \"system:authenticated\""
	// admin, list pods: Allow ""
}
