package testserver_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage5-serve/testserver"
)

func TestEverythingIsThereAndNothingIsShared(t *testing.T) {
	users := []testserver.User{{Token: "alicetoken", Name: `CN=alice "A",O=us`, Groups: []string{"devs"}}}
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

func TestAServerOfAWholePackageEndsWithStop(t *testing.T) {
	s, err := testserver.New(testserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("a test", func(t *testing.T) {
		resp, err := s.Client.Get(s.URL + "/api/v1/namespaces/default")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("the client is an administrator's, got %s", resp.Status)
		}
	})
	if err := s.Stop(); err != nil {
		t.Errorf("the server must stop in order, got %v", err)
	}
	if _, err := os.Stat(s.Kubeconfig); !os.IsNotExist(err) {
		t.Errorf("its folder goes with it, looking for the kubeconfig gave %v", err)
	}
	if resp, err := s.Client.Get(s.URL + "/version"); err == nil {
		resp.Body.Close()
		t.Error("nobody should answer after Stop")
	}
}

func TestAServerThatCannotStartIsAnError(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	_, err := testserver.New(testserver.Options{Args: []string{"--storage-backend=etcd3"}})
	if err == nil || !strings.Contains(err.Error(), "--storage-backend=etcd3") {
		t.Errorf("the error must tell what the server said, got %v", err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("a server that did not start leaves nothing behind, there is %v", left)
	}
}

func TestAnOwnFolderIsKept(t *testing.T) {
	o := testserver.Options{Folder: t.TempDir()}
	for range 2 {
		s, err := testserver.New(o)
		if err != nil {
			t.Fatalf("a folder may be used again: %v", err)
		}
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(s.Kubeconfig); err != nil {
			t.Errorf("what the caller has named is the caller's: %v", err)
		}
	}
}
