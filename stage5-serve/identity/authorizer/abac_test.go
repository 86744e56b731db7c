package authorizer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

func abac(t *testing.T, lines string) (authorizer.ABAC, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "policy.jsonl")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return authorizer.ReadABAC(path)
}

func TestLinesOfABACAllowWhatTheySay(t *testing.T) {
	const beta = `{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":`
	list, err := abac(t, strings.Join([]string{
		"# comments and empty lines are skipped", "",
		beta + `{"user":"alice","namespace":"dev","resource":"pods","readonly":true}}`,
		beta + `{"group":"devs","namespace":"*","resource":"*","apiGroup":"apps"}}`,
		beta + `{"user":"bob","group":"devs","nonResourcePath":"/api*"}}`,
		`{"user":"carol","resource":"events"}`,
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	user := func(name string, groups ...string) request.User { return request.User{Name: name, Groups: groups} }
	on := func(verb, group, resource, namespace string) request.Info {
		return request.Info{IsResource: true, Verb: verb, Group: group, Resource: resource, Namespace: namespace}
	}
	for name, c := range map[string]struct {
		user request.User
		info request.Info
		want bool
	}{
		"reading where he may":          {user("alice"), on("list", "", "pods", "dev"), true},
		"writing where he may read":     {user("alice"), on("create", "", "pods", "dev"), false},
		"another namespace":             {user("alice"), on("list", "", "pods", "prod"), false},
		"another group of the API":      {user("alice"), on("list", "apps", "pods", "dev"), false},
		"somebody else":                 {user("mallory"), on("list", "", "pods", "dev"), false},
		"the group":                     {user("x", "devs"), on("delete", "apps", "deployments", "prod"), true},
		"a path":                        {user("bob", "devs"), request.Info{Verb: "get", Path: "/apis"}, true},
		"a path without being in devs":  {user("bob"), request.Info{Verb: "get", Path: "/apis"}, false},
		"a line without a version":      {user("carol"), on("create", "events.k8s.io", "events", "any"), true},
		"such a line and another thing": {user("carol"), on("create", "", "pods", "any"), false},
	} {
		if d, reason := decide(t, list, c.user, c.info); (d == authorizer.Allow) != c.want {
			t.Errorf("%s: want allowed %v, got %v (%s)", name, c.want, d, reason)
		}
	}
}

func TestAWrongLineOfABACIsAnErrorThatNamesIt(t *testing.T) {
	for _, line := range []string{`{`, `{"apiVersion":"v1","kind":"Policy"}`, `{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{}}`} {
		if _, err := abac(t, "\n"+line); err == nil || !strings.Contains(err.Error(), "policy.jsonl:2: ") {
			t.Errorf("the line %s must be refused by its number, got %v", line, err)
		}
	}
}
