package lifecycle_test

import (
	"fmt"
	"net/http"
	"testing"

	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
	"github.com/google/go-cmp/cmp"
)

const object = `{"metadata":{"name":"c"}}`

func TestSomeNamespacesNeverGo(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=NamespaceLifecycle")
	for _, name := range []string{"default", "kube-system", "kube-public"} {
		s.Until(plugintest.Is(http.StatusOK), "GET", "namespaces/"+name, "") // made at the start, beside others
		want := fmt.Sprintf("namespaces %q is forbidden: this namespace may not be deleted", name)
		if a := s.Do("DELETE", "namespaces/"+name, ""); a.Code != http.StatusForbidden || a.Message() != want {
			t.Errorf("DELETE of the namespace %s is answered %d %q, want 403 %q", name, a.Code, a.Message(), want)
		}
	}
}

func TestNothingNewComesIntoANamespaceThatGoes(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=NamespaceLifecycle")
	s.Create("namespaces", `{"metadata":{"name":"going"}}`)
	s.Create("namespaces/going/configmaps", object)
	s.Do("DELETE", "namespaces/going", "")
	a := s.Do("POST", "namespaces/going/secrets", object) // at once, whatever the informer knows
	const want = `secrets "c" is forbidden: unable to create new content in namespace going because it is being terminated`
	if a.Code != http.StatusForbidden || a.Message() != want {
		t.Errorf("the answer is %d %q, want 403 %q", a.Code, a.Message(), want)
	}
	causes := a.Object["details"].(map[string]any)["causes"]
	wanted := []any{map[string]any{"reason": "NamespaceTerminating", "message": "namespace going is being terminated", "field": "metadata.namespace"}}
	if diff := cmp.Diff(wanted, causes); diff != "" {
		t.Errorf("controllers look for another cause (-want +got):\n%s", diff)
	}
	for _, method := range []string{"PATCH", "DELETE"} {
		if a := s.Do(method, "namespaces/going/configmaps/c", `{}`); a.Code != http.StatusOK {
			t.Errorf("%s of what is there already is refused: %s", method, a.Message())
		}
	}
}

func TestANamespaceCanBeUsedAtOnce(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=NamespaceLifecycle")
	if a := s.Do("POST", "namespaces/none/configmaps", object); a.Code != http.StatusNotFound || a.Message() != `namespaces "none" not found` {
		t.Errorf("a missing namespace is answered %d %q, want 404 and that it is missing", a.Code, a.Message())
	}
	for i := range 50 {
		name := fmt.Sprintf("n-%d", i)
		s.Create("namespaces", `{"metadata":{"name":"`+name+`"}}`)
		s.Create("namespaces/"+name+"/configmaps", object)
	}
}
