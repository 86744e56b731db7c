package exists_test

import (
	"net/http"
	"testing"

	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
)

const object = `{"metadata":{"name":"c"}}`

func TestNothingIsCreatedInANamespaceThatIsNotThere(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=NamespaceExists")
	if a := s.Do("POST", "namespaces/none/configmaps", object); a.Code != http.StatusNotFound || a.Message() != `namespaces "none" not found` {
		t.Errorf("the answer is %d %q, want 404 and that the namespace is missing", a.Code, a.Message())
	}
	s.Create("namespaces", `{"metadata":{"name":"new"}}`)
	s.Create("namespaces/new/configmaps", object) // at once, whatever the informer knows
	s.Create("nodes", `{"metadata":{"name":"n"}}`)
}

func TestAMissingNamespaceIsMade(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=NamespaceAutoProvision,NamespaceExists")
	if a := s.Do("POST", "namespaces/later/configmaps?dryRun=All", object); a.Code != http.StatusNotFound {
		t.Errorf("a dry run in a namespace that is not there is answered %d, want 404", a.Code)
	}
	if a := s.Do("GET", "namespaces/later", ""); a.Code != http.StatusNotFound {
		t.Errorf("a dry run has made a namespace")
	}
	s.Create("namespaces/later/configmaps", object)
	s.Create("namespaces/later/secrets", object)
	if a := s.Do("GET", "namespaces/later", ""); a.Code != http.StatusOK {
		t.Errorf("an object was created and its namespace was not: %s", a.Message())
	}
}
