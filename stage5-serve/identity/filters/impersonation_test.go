package filters_test

import (
	"errors"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
	"github.com/google/go-cmp/cmp"
)

func TestTheAdministratorCanBeAnybody(t *testing.T) {
	const pods = "/api/v1/namespaces/ns/pods"
	for _, c := range []struct {
		headers []string
		want    request.User
	}{
		{[]string{"Impersonate-User: bob"}, request.User{Name: "bob", Groups: []string{"system:authenticated"}}},
		{[]string{"Impersonate-User: bob", "Impersonate-Group: team-a", "Impersonate-Group: team-b", "Impersonate-Extra-Scope: one", "Impersonate-Uid: u-1"},
			request.User{Name: "bob", UID: "u-1", Groups: []string{"team-a", "team-b", "system:authenticated"}, Extra: map[string][]string{"scope": {"one"}}}},
		{[]string{"Impersonate-User: bob", "Impersonate-Group: system:masters"}, request.User{Name: "bob", Groups: []string{"system:masters", "system:authenticated"}}},
		{[]string{"Impersonate-User: bob", "Impersonate-Group: system:authenticated"}, request.User{Name: "bob", Groups: []string{"system:authenticated"}}},
		{[]string{"Impersonate-User: bob", "Impersonate-Extra-Example.com%2fA: 1", "Impersonate-Extra-Example.com%2fA: 2"},
			request.User{Name: "bob", Groups: []string{"system:authenticated"}, Extra: map[string][]string{"example.com/a": {"1", "2"}}}},
		{[]string{"Impersonate-User: system:serviceaccount:ns:robot"},
			request.User{Name: "system:serviceaccount:ns:robot", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"}}},
		{[]string{"Impersonate-User: system:serviceaccount:ns:robot", "Impersonate-Group: x"},
			request.User{Name: "system:serviceaccount:ns:robot", Groups: []string{"x", "system:authenticated"}}},
		{[]string{"Impersonate-User: system:node:n1"}, request.User{Name: "system:node:n1", Groups: []string{"system:nodes", "system:authenticated"}}},
		{[]string{"Impersonate-User: system:anonymous"}, request.User{Name: "system:anonymous", Groups: []string{"system:unauthenticated"}}},
	} {
		// Only who may ask is of interest here, not what the new user may.
		allow := authorizerFunc(func(a authorizer.Attributes) (authorizer.Decision, string, error) { return authorizer.Allow, "", nil })
		_, got := through(get(pods, "admintoken", append(c.headers, "X-Other: stays")...), all(allow)...)
		if got == nil {
			t.Errorf("%v: the administrator must be let through", c.headers)
			continue
		}
		if diff := cmp.Diff(c.want, got.user); diff != "" {
			t.Errorf("%v makes somebody else (-want +got):\n%s", c.headers, diff)
		}
		for name := range got.header {
			if strings.HasPrefix(name, "Impersonate-") {
				t.Errorf("%v: %s went further, where somebody might believe it", c.headers, name)
			}
		}
		if got.header.Get("X-Other") != "stays" {
			t.Errorf("%v: other headers must stay", c.headers)
		}
	}
}

func TestTheImpersonatedUserIsAuthorizedAndNotTheOtherOne(t *testing.T) {
	const pods = "/api/v1/namespaces/ns/pods"
	w, got := through(get(pods, "admintoken", "Impersonate-User: bob"), all(ofRBAC(t))...)
	want := `pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "ns"`
	if s := readStatus(t, w); got != nil || s.Message != want {
		t.Errorf("bob may not list pods, whoever plays him:\nwant %s\ngot  %s", want, s.Message)
	}
	if _, got := through(get(pods, "admintoken", "Impersonate-User: bob", "Impersonate-Group: system:masters"), all(ofRBAC(t))...); got == nil || got.user.Name != "bob" {
		t.Error("bob as one of system:masters may list pods")
	}
}

func TestWhoMayNotImpersonateIsToldTheFirstVerbThatHeLacks(t *testing.T) {
	const cannot = `pods is forbidden: User "alice" cannot impersonate-on:%s:list resource "pods" in API group "" in the namespace "ns"`
	for _, c := range []struct{ path, user, want string }{
		{"/api/v1/namespaces/ns/pods", "bob", strings.Replace(cannot, "%s", "user-info", 1)},
		{"/api/v1/namespaces/ns/pods", "system:serviceaccount:ns:robot", strings.Replace(cannot, "%s", "serviceaccount", 1)},
		{"/api/v1/namespaces/ns/pods", "system:node:n1", strings.Replace(cannot, "%s", "arbitrary-node", 1)},
		{"/api", "bob", `forbidden: User "alice" cannot impersonate-on:user-info:get path "/api"`},
	} {
		w, got := through(get(c.path, "alicetoken", "Impersonate-User: "+c.user), all(ofRBAC(t))...)
		if s := readStatus(t, w); got != nil || s.Code != 403 || s.Message != c.want {
			t.Errorf("alice as %s:\nwant %s\ngot  %d %s", c.user, c.want, s.Code, s.Message)
		}
	}
}

func TestAGroupWithoutAUserIsABadRequest(t *testing.T) {
	for header, in := range map[string]string{
		"Impersonate-Group: devs":      `Name:"", UID:"", Groups:[]string{"devs"}, Extra:map[string][]string(nil)`,
		"Impersonate-Uid: 1":           `Name:"", UID:"1", Groups:[]string(nil), Extra:map[string][]string(nil)`,
		"Impersonate-Extra-Scope: one": `Name:"", UID:"", Groups:[]string(nil), Extra:map[string][]string{"scope":[]string{"one"}}`,
	} {
		w, got := through(get("/api", "admintoken", header), all(ofRBAC(t))...)
		want := "requested &user.DefaultInfo{" + in + "} without impersonating a user name"
		if s := readStatus(t, w); got != nil || s.Code != 400 || s.Reason != "BadRequest" || s.Message != want {
			t.Errorf("%s:\nwant %s\ngot  %d %s", header, want, s.Code, s.Message)
		}
	}
}

// grants allows a few questions, each written VERB GROUP/RESOURCE[/SUBRESOURCE] [NAMESPACE/]NAME.
type grants []string

func (g grants) text(a authorizer.Attributes) string {
	resource, name := a.Group+"/"+a.Resource, a.Name
	if a.Subresource != "" {
		resource += "/" + a.Subresource
	}
	if a.Namespace != "" {
		name = a.Namespace + "/" + name
	}
	return strings.TrimSpace(a.Verb + " " + resource + " " + name)
}

func TestImpersonationAsksForEverythingThatIsClaimed(t *testing.T) {
	const on, auth = "impersonate-on:user-info:list /pods ns/", "authentication.k8s.io/"
	all3 := []string{"Impersonate-User: bob", "Impersonate-Group: devs", "Impersonate-Uid: 1", "Impersonate-Extra-Scope: one"}
	robot := []string{"Impersonate-User: system:serviceaccount:ns:robot"}
	for _, c := range []struct {
		claim   string
		headers []string
		needs   grants // each is needed, and together they are enough
	}{
		{"the verb of 1.7", all3, grants{"impersonate /users bob", "impersonate /groups devs", "impersonate " + auth + "uids 1", "impersonate " + auth + "userextras/scope one"}},
		{"the verbs of today", all3, grants{on, "impersonate:user-info " + auth + "users bob", "impersonate:user-info " + auth + "groups devs",
			"impersonate:user-info " + auth + "uids 1", "impersonate:user-info " + auth + "userextras/scope one"}},
		{"a service account, by the verb of 1.7", robot, grants{"impersonate /serviceaccounts ns/robot"}},
		{"a service account", robot, grants{"impersonate-on:serviceaccount:list /pods ns/", "impersonate:serviceaccount " + auth + "serviceaccounts ns/robot"}},
		{"a node", []string{"Impersonate-User: system:node:n1"}, grants{"impersonate-on:arbitrary-node:list /pods ns/", "impersonate:arbitrary-node " + auth + "nodes n1"}},
		{"a node, by the verb of 1.7", []string{"Impersonate-User: system:node:n1"}, grants{"impersonate /users system:node:n1"}},
	} {
		for missing := -1; missing < len(c.needs); missing++ {
			got := impersonating(c.needs, missing, c.headers)
			if missing < 0 && !got {
				t.Errorf("%s: %q must be enough for %v", c.claim, c.needs, c.headers)
			}
			if missing >= 0 && got {
				t.Errorf("%s: %v must not be allowed without %q", c.claim, c.headers, c.needs[missing])
			}
		}
	}
}

// impersonating says whether alice gets through if she is allowed all but one of the grants.
func impersonating(g grants, without int, headers []string) bool {
	a := authorizerFunc(func(a authorizer.Attributes) (authorizer.Decision, string, error) {
		if a.User.Name != "alice" { // she got there
			return authorizer.Allow, "", nil
		}
		for i, grant := range g {
			if i != without && strings.TrimSpace(grant) == g.text(a) {
				return authorizer.Allow, "", nil
			}
		}
		return authorizer.NoOpinion, "", nil
	})
	_, got := through(get("/api/v1/namespaces/ns/pods", "alicetoken", headers...), all(a)...)
	return got != nil && got.user.Name != "alice"
}

func TestTodaysVerbsAloneHaveLimits(t *testing.T) {
	for _, headers := range [][]string{
		{"Impersonate-User: bob", "Impersonate-Group: system:masters"},
		{"Impersonate-User: bob", "Impersonate-Group: "},
		{"Impersonate-User: bob", "Impersonate-Extra-Scope: "},
		{"Impersonate-User: bob", "Impersonate-Extra-: one"},
		{"Impersonate-User: system:serviceaccount:ns:robot", "Impersonate-Group: devs"}, // its groups follow from its name
		{"Impersonate-User: system:node:n1", "Impersonate-Uid: 1"},
	} {
		a := authorizerFunc(func(a authorizer.Attributes) (authorizer.Decision, string, error) {
			if a.User.Name == "alice" && a.Verb == "impersonate" {
				return authorizer.NoOpinion, "", nil
			}
			return authorizer.Allow, "", nil
		})
		if w, got := through(get("/api/v1/pods", "alicetoken", headers...), all(a)...); got != nil || w.Code != 403 {
			t.Errorf("%q must be refused to who has not the old verb impersonate, got %d %s", headers, w.Code, w.Body)
		}
	}
}

func TestAnAuthorizerThatFailsOnceLetsNobodyImpersonate(t *testing.T) {
	a := authorizerFunc(func(a authorizer.Attributes) (authorizer.Decision, string, error) {
		if strings.HasPrefix(a.Verb, "impersonate-on:") {
			return authorizer.NoOpinion, "", errors.New("the roles cannot be read")
		}
		return authorizer.Allow, "", nil // as it would the verb of 1.7
	})
	if w, got := through(get("/api/v1/pods", "alicetoken", "Impersonate-User: bob"), all(a)...); got != nil || w.Code != 500 {
		t.Errorf("what failed might have been a no, so the next verb must not be tried, got %d %s", w.Code, w.Body)
	}
}

func TestTheModeThatWorkedIsTriedFirst(t *testing.T) {
	const pods = "/api/v1/namespaces/ns/pods"
	// alice may impersonate bob the old way, and nobody in any other.
	old := authorizer.RBAC{Policy: authorizer.Fixed{
		Roles: []authorizer.Role{{Name: "as-bob", Rules: []authorizer.PolicyRule{{Verbs: []string{"impersonate"}, APIGroups: []string{""}, Resources: []string{"users"}, ResourceNames: []string{"bob"}}}}},
		Bound: []authorizer.Binding{{Name: "as-bob", RoleRef: authorizer.RoleRef{Kind: "ClusterRole", Name: "as-bob"}, Subjects: []authorizer.Subject{{Kind: "User", Name: "alice"}}}},
	}}
	chain := all(old)
	refusal := func(as string) string {
		w, _ := through(get(pods, "alicetoken", "Impersonate-User: "+as), chain...)
		return w.Body.String()
	}
	if text := refusal("carol"); !strings.Contains(text, "impersonate-on:user-info:list") {
		t.Errorf("before anything worked the first mode's refusal is told, got %s", text)
	}
	refusal("bob") // allowed to be bob, who then may not list
	if text := refusal("carol"); !strings.Contains(text, "cannot impersonate resource") {
		t.Errorf("after the old way worked its refusal is told, got %s", text)
	}
}
