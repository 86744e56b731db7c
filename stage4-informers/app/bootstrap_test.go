package app_test

import (
	"path/filepath"
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
)

func TestAQuotaThatForbidsTheServersOwnServiceDoesNotEndTheServer(t *testing.T) {
	services, endpoints := row("services", "Service", true), row("endpoints", "Endpoints", true)
	for forbidden, other := range map[*catalog.Resource]catalog.Resource{&services: endpoints, &endpoints: services} {
		file := "--bbolt-file=" + filepath.Join(t.TempDir(), "state.db")
		t.Run("before, somebody forbids "+forbidden.Name, func(t *testing.T) {
			s := start(t, file, "--controllers=")
			s.make(quotas, "default", `{"metadata":{"name":"none"},"spec":{"hard":{"count/`+forbidden.Name+`":"0"}}}`)
			none := map[string]any{"count/" + forbidden.Name: "0"}
			s.patch(quotas, "default", "none", "status", map[string]any{"status": map[string]any{"hard": none, "used": none}})
			s.remove(endpoints, "default", "kubernetes", "Background")
			s.remove(services, "default", "kubernetes", "Background")
		})
		s := start(t, file, "--controllers=", "--admission-control=NamespaceLifecycle,ResourceQuota") // ready: its hooks have returned
		if s.find(*forbidden, "default", "kubernetes") != nil {
			t.Errorf("a quota allows no %s, and they were made", forbidden.Name)
		}
		if s.find(other, "default", "kubernetes") == nil {
			t.Errorf("nobody forbids %s, and yet they were not made: one refusal keeps nothing else from its turn", other.Name)
		}
		s.remove(quotas, "default", "none", "Background")
		s.until("what was forbidden is made once it is not any more", func() bool { return s.find(*forbidden, "default", "kubernetes") != nil })
	}
}
