package testserver_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage5-serve/testserver"
)

func TestEverythingIsThereAndNothingIsShared(t *testing.T) {
	users := []testserver.User{{Token: "alicetoken", Name: "alice", Groups: []string{"devs"}}}
	a, b := testserver.Start(t, testserver.Options{Users: users}), testserver.Start(t, testserver.Options{})
	code := func(c *http.Client, method, url, body string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	const maps = "/api/v1/namespaces/default/configmaps"
	if got := code(a.Client, "POST", a.URL+maps, `{"metadata":{"name":"only-in-a"}}`); got != 201 {
		t.Errorf("the client is an administrator's, got %d", got)
	}
	if got := code(b.Client, "GET", b.URL+maps+"/only-in-a", ""); got != 404 {
		t.Errorf("two servers share nothing, got %d", got)
	}
	if got := code(a.As("alicetoken"), "GET", a.URL+maps, ""); got != 403 {
		t.Errorf("alice has no rights, got %d", got)
	}
	if got := code(b.As("alicetoken"), "GET", b.URL+maps, ""); got != 401 {
		t.Errorf("the other server does not know alice, got %d", got)
	}
	if got := code(a.As(""), "GET", a.URL+"/version", ""); got != 200 {
		t.Errorf("nobody in particular may read the version, got %d", got)
	}
	if text, err := os.ReadFile(a.Kubeconfig); err != nil || !strings.Contains(string(text), a.URL) {
		t.Errorf("the kubeconfig must lead to the server, got %v\n%s", err, text)
	}
}
