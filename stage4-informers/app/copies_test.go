package app_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/controllers/garbagecollector"
	"example.com/kube-apiserver/stage4-informers/controllers/namespace"
	"example.com/kube-apiserver/stage4-informers/controllers/replication"
	"example.com/kube-apiserver/stage4-informers/controllers/resourcequota"
	"example.com/kube-apiserver/stage4-informers/controllers/serviceaccount"
	"example.com/kube-apiserver/stage4-informers/informers"
)

// copies runs each controller once more, as somebody does who starts a
// controller manager beside this server.
func (r *running) copies() {
	factory := informers.NewSharedInformerFactory(func(row catalog.Resource) cache.ListerWatcher { return r.client.ListerWatcher(row, "") }, 0)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, run := range []func(context.Context){
		garbagecollector.New(r.client, r.config.Installed).Run,
		namespace.New(r.client, r.config.Installed, factory).Run,
		replication.New(r.client, factory).Run,
		resourcequota.New(r.client, r.config.Installed, factory).Run,
		serviceaccount.New(r.client, factory).Run,
	} {
		running.Go(func() { run(ctx) })
	}
	factory.Start(ctx.Done())
	r.Cleanup(func() { stop(); running.Wait(); factory.Shutdown() })
}

func TestASecondCopyOfEveryControllerDoesNoHarm(t *testing.T) {
	s := start(t)
	s.copies()
	const spaces, replicas = 20, 45 // a thousand objects, with five config maps each
	each := func(do func(namespace string)) {
		var all sync.WaitGroup
		for i := range spaces {
			all.Go(func() { do(fmt.Sprintf("space-%d", i)) })
		}
		all.Wait()
	}
	each(func(ns string) {
		s.make(namespaces, "", `{"metadata":{"name":"`+ns+`"}}`)
		s.make(quotas, ns, `{"metadata":{"name":"q"},"spec":{"hard":{"pods":"100","configmaps":"100"}}}`)
		rc := s.make(controllers, ns, fmt.Sprintf(web, replicas))
		for i := range 5 {
			s.make(configMaps, ns, fmt.Sprintf(`{"metadata":{"name":"c%d","ownerReferences":[%s]}}`, i, ownedBy(rc, i%2 == 0)))
		}
	})
	each(func(ns string) { s.has(s.find(controllers, ns, "web"), replicas) })
	each(func(ns string) {
		s.patch(controllers, ns, "web", "scale", map[string]any{"spec": map[string]any{"replicas": 3}})
	})
	each(func(ns string) { s.has(s.find(controllers, ns, "web"), 3) })
	each(func(ns string) {
		s.until("the quota of "+ns+" is counted", func() bool { return at(s.find(quotas, ns, "q"), "status", "used") == `{"configmaps":"5","pods":"3"}` })
		s.remove(controllers, ns, "web", "Foreground")
	})
	s.until("everything has gone with its owners", func() bool {
		return len(s.list(pods, "")) == 0 && len(s.list(controllers, "")) == 0 && len(s.list(configMaps, "")) == 0
	})
	each(func(ns string) {
		rc := s.make(controllers, ns, fmt.Sprintf(web, 4))
		s.has(rc, 4)
		s.remove(controllers, ns, "web", "Orphan")
	})
	s.until("the owners have gone without their pods", func() bool { return len(s.list(controllers, "")) == 0 })
	if n := len(s.list(pods, "")); n < 4*spaces {
		t.Errorf("%d pods are left of %d that were orphaned", n, 4*spaces)
	}
	each(func(ns string) { s.remove(namespaces, "", ns, "Background") })
	s.until("the namespaces have gone", func() bool { return len(s.list(namespaces, "")) == 4 && len(s.list(pods, "")) == 0 })
	for _, account := range s.list(serviceAccounts, "") {
		if s.find(namespaces, "", account.Meta.Namespace) == nil {
			t.Errorf("a service account is left in %s, which has gone", account.Meta.Namespace)
		}
	}
}
