package app_test

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// as sends a request with another token and returns the code and the body of its answer.
func (r *running) as(t *testing.T, token, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := r.As(token).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSuffix(string(answer), "\n")
}

// until repeats a request of alice until it is answered with a code: the
// authorizer hears of a role from its informer, a moment after the write. The
// test's own timeout bounds it.
func (r *running) until(t *testing.T, code int, path string) {
	t.Helper()
	for got := 0; got != code && t.Context().Err() == nil; {
		got, _ = r.as(t, "alicetoken", "GET", path, "")
	}
}

const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles"
const roleBindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings"

// grant makes a role in the namespace default and gives it to alice.
func (r *running) grant(t *testing.T, name, rules string) {
	t.Helper()
	for path, body := range map[string]string{
		roles:        fmt.Sprintf(`{"metadata":{"name":%q},"rules":%s}`, name, rules),
		roleBindings: fmt.Sprintf(`{"metadata":{"name":%q},"roleRef":{"kind":"Role","name":%q},"subjects":[{"kind":"User","name":"alice"}]}`, name, name),
	} {
		if code, answer := r.do(t, "POST", path, body); code != http.StatusCreated {
			t.Fatalf("POST %s: got %d\n%s", path, code, answer)
		}
	}
}

func TestARoleOpensWhatItSaysAndNothingElse(t *testing.T) {
	t.Parallel()
	s := start(t)
	const maps = "/api/v1/namespaces/default/configmaps"
	if code, _ := s.as(t, "alicetoken", "GET", maps, ""); code != http.StatusForbidden {
		t.Fatalf("alice has no role yet and is answered with %d", code)
	}
	s.grant(t, "maps", `[{"apiGroups":[""],"resources":["configmaps"],"verbs":["list"]}]`)
	s.until(t, http.StatusOK, maps)
	for _, path := range []string{maps + "/x", "/api/v1/namespaces/default/secrets", "/api/v1/configmaps", "/api/v1/namespaces/kube-system/configmaps"} {
		if code, answer := s.as(t, "alicetoken", "GET", path, ""); code != http.StatusForbidden {
			t.Errorf("the role says nothing of %s, and alice gets %d\n%s", path, code, answer)
		}
	}
	s.do(t, "DELETE", roleBindings+"/maps", "")
	s.until(t, http.StatusForbidden, maps)
}

func TestNobodyGrantsMoreThanHeHas(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.grant(t, "granter", `[{"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles","rolebindings"],"verbs":["get","create","update","patch"]},{"apiGroups":[""],"resources":["configmaps"],"verbs":["get"]}]`)
	s.until(t, http.StatusOK, roles+"/granter")
	for _, c := range []struct {
		what, method, path, body string
		code                     int
		says                     string
	}{
		{"a role of what he has", "POST", roles, `{"metadata":{"name":"small"},"rules":[{"apiGroups":[""],"resources":["configmaps"],"verbs":["get"]}]}`, 201, ""},
		{"a role of more", "POST", roles, `{"metadata":{"name":"big"},"rules":[{"apiGroups":[""],"resources":["secrets"],"verbs":["get"]}]}`, 403, `{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}`},
		{"more in a role that is there", "PUT", roles + "/small", `{"metadata":{"name":"small"},"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]}`, 403, "not currently held"},
		{"a binding to everything", "POST", roleBindings, `{"metadata":{"name":"all"},"roleRef":{"kind":"ClusterRole","name":"cluster-admin"},"subjects":[{"kind":"User","name":"alice"}]}`, 403, "not currently held"},
		{"a binding to what he has", "POST", roleBindings, `{"metadata":{"name":"small"},"roleRef":{"kind":"Role","name":"small"},"subjects":[{"kind":"User","name":"carol"}]}`, 201, ""},
		{"a binding to nothing", "POST", roleBindings, `{"metadata":{"name":"none"},"roleRef":{"kind":"Role","name":"nosuch"},"subjects":[{"kind":"User","name":"carol"}]}`, 404, "nosuch"},
	} {
		if code, answer := s.as(t, "alicetoken", c.method, c.path, c.body); code != c.code || !strings.Contains(answer, c.says) {
			t.Errorf("%s: want %d that says %q, got %d\n%s", c.what, c.code, c.says, code, answer)
		}
	}
}

func TestBuiltInRolesAreWrittenOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	revisions := func(t *testing.T) string {
		s := start(t, "--bbolt-file="+filepath.Join(folder, "state.db"), "--controllers=") // which would put roles together meanwhile
		_, list := s.do(t, "GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles", "")
		_, items, _ := strings.Cut(list, `"items"`)
		return items
	}
	var first, second string
	t.Run("first start", func(t *testing.T) { first = revisions(t) })
	t.Run("second start", func(t *testing.T) { second = revisions(t) })
	if first != second || !strings.Contains(first, "cluster-admin") {
		t.Error("a second start must leave the built-in roles as they are, to the revision")
	}
}

func TestRolesArePutTogetherByLabels(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.do(t, "POST", roleBindings, `{"metadata":{"name":"edit"},"roleRef":{"kind":"ClusterRole","name":"edit"},"subjects":[{"kind":"User","name":"alice"}]}`)
	s.until(t, http.StatusOK, "/api/v1/namespaces/default/secrets")
	if code, _ := s.as(t, "alicetoken", "GET", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", ""); code != http.StatusForbidden {
		t.Errorf("editors see no roles, got %d", code)
	}
	s.do(t, "POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", `{"metadata":{"name":"more","labels":{"rbac.authorization.k8s.io/aggregate-to-view":"true"}},
		"rules":[{"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles"],"verbs":["list"]}]}`)
	s.until(t, http.StatusOK, "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles") // view is part of edit
}
