package app_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
)

func TestANamespaceGoesWhenItsContentHasGone(t *testing.T) {
	s := start(t)
	s.addBoats()
	s.make(namespaces, "", `{"metadata":{"name":"one"}}`)
	s.make(configMaps, "one", `{"metadata":{"name":"easy"}}`)
	s.make(configMaps, "one", `{"metadata":{"name":"keep","finalizers":["example.com/f"]}}`)
	s.make(boats, "one", `{"metadata":{"name":"ark","finalizers":["example.com/f"]}}`)
	s.remove(namespaces, "", "one", "Background")
	s.until("the conditions tell what is in the way", func() bool {
		ns := s.find(namespaces, "", "one")
		text := at(ns, "status", "conditions")
		return strings.Contains(text, "Some resources are remaining: boats.harbor.example.com has 1 resource instances, configmaps. has 1 resource instances") &&
			strings.Contains(text, "Some content in the namespace has finalizers remaining: example.com/f in 2 resource instances") &&
			strings.Contains(text, "All resources successfully discovered")
	})
	if s.find(configMaps, "one", "easy") != nil {
		t.Error("an object that nothing keeps is still there, and others are waited for")
	}
	if phase := at(s.find(namespaces, "", "one"), "status", "phase"); phase != "Terminating" {
		t.Errorf("a namespace with content has the phase %s, want Terminating", phase)
	}
	none := map[string]any{"metadata": map[string]any{"finalizers": nil}}
	s.patch(configMaps, "one", "keep", "", none)
	s.patch(boats, "one", "ark", "", none)
	s.until("the namespace has gone", func() bool { return s.find(namespaces, "", "one") == nil })
}

func TestAFinalizerOfSomebodyElseKeepsTheNamespace(t *testing.T) {
	s := start(t)
	s.make(namespaces, "", `{"metadata":{"name":"one"},"spec":{"finalizers":["example.com/mine"]}}`)
	s.make(configMaps, "one", `{"metadata":{"name":"easy"}}`)
	s.remove(namespaces, "", "one", "Background")
	s.until("the content has gone, and our finalizer with it", func() bool {
		return s.find(configMaps, "one", "easy") == nil && at(s.find(namespaces, "", "one"), "spec", "finalizers") == `["example.com/mine"]`
	})
}

func TestEveryNamespaceHasADefaultServiceAccount(t *testing.T) {
	s := start(t)
	s.make(namespaces, "", `{"metadata":{"name":"one"}}`)
	for _, namespace := range []string{"default", "kube-system", "one"} {
		s.until("there is a service account in "+namespace, func() bool { return s.find(serviceAccounts, namespace, "default") != nil })
	}
	first := s.find(serviceAccounts, "one", "default").Meta.UID
	s.remove(serviceAccounts, "one", "default", "Background")
	s.until("a deleted service account is replaced", func() bool {
		account := s.find(serviceAccounts, "one", "default")
		return account != nil && account.Meta.UID != first
	})
}

const web = `{"metadata":{"name":"web"},"spec":{"replicas":%d,"selector":{"app":"web"},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx:1"}]}}}}`

// has waits until n pods belong to the controller and its status says so. The
// server is asked once the test's own cache shows as many: to list them at each
// change would be more work than what is waited for.
func (r *running) has(rc *object.Object, n int) {
	r.Helper()
	ns := rc.Meta.Namespace
	isOwned := func(pod *object.Encoded) bool {
		meta, err := pod.Meta()
		return err == nil && len(meta.OwnerReferences) == 1 && meta.OwnerReferences[0].UID == rc.Meta.UID && meta.DeletionTimestamp == ""
	}
	r.until(fmt.Sprintf("%s has %d pods", rc.Meta.Name, n), func() bool {
		seen := slices.Collect(maps.Values(r.mirror.ForResource(pods).GetIndexer().ByNamespace(ns)))
		if count(seen, isOwned) != n {
			return false
		}
		stored, err := r.client.List(r.Context(), pods, ns)
		if err != nil {
			r.Fatal(err)
		}
		now := r.find(controllers, ns, rc.Meta.Name)
		return count(stored, isOwned) == n && at(now, "status", "replicas") == fmt.Sprint(n) && at(now, "status", "observedGeneration") == fmt.Sprint(now.Meta.Generation)
	})
}

func count[T any](list []T, is func(T) bool) (n int) {
	for _, item := range list {
		if is(item) {
			n++
		}
	}
	return n
}

func TestAReplicationControllerKeepsItsPods(t *testing.T) {
	s := start(t)
	orphan := s.make(pods, "default", `{"metadata":{"name":"orphan","labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx:1"}]}}`)
	rc := s.make(controllers, "default", fmt.Sprintf(web, 3))
	s.has(rc, 3)
	if s.find(pods, "default", orphan.Meta.Name).Meta.OwnerReferences == nil {
		t.Error("a pod that the controller selects and that nobody owns was not adopted")
	}
	s.patch(controllers, "default", "web", "scale", map[string]any{"spec": map[string]any{"replicas": 5}})
	s.has(rc, 5)
	s.remove(pods, "default", "orphan", "Background")
	s.has(rc, 5)
	one := s.list(pods, "default")[0]
	s.patch(pods, "default", one.Meta.Name, "", map[string]any{"metadata": map[string]any{"labels": map[string]any{"app": "other"}}})
	s.until("a pod that is no longer selected is set free", func() bool { return s.find(pods, "default", one.Meta.Name).Meta.OwnerReferences == nil })
	s.has(rc, 5)
	s.patch(controllers, "default", "web", "", map[string]any{"spec": map[string]any{"replicas": 0}})
	s.has(rc, 0)
	var said []string
	for _, event := range s.list(events, "default") {
		said = append(said, at(event, "reason")+" "+strings.Join(strings.Split(at(event, "message"), "-")[:1], ""))
	}
	for _, want := range []string{"SuccessfulCreate Created pod: web", "SuccessfulDelete Deleted pod: web"} {
		if !slices.Contains(said, want) {
			t.Errorf("no event says %q, there are %q", want, said)
		}
	}
	if name := one.Meta.Name; !strings.HasPrefix(name, "web-") {
		t.Errorf("a pod of web is called %q, want web-…", name)
	}
}

func TestThatPodsCannotBeMadeIsACondition(t *testing.T) {
	s := start(t)
	bad := strings.Replace(fmt.Sprintf(web, 2), `"labels":`, `"finalizers":["no domain"],"labels":`, 1) // nobody checks them in a template
	s.make(controllers, "default", bad)
	s.until("the status says that pods cannot be made", func() bool {
		list := s.list(controllers, "default")
		return strings.Contains(at(list[0], "status", "conditions"), `"reason":"FailedCreate","status":"True","type":"ReplicaFailure"`)
	})
}

func TestWhatBecomesOfDependents(t *testing.T) {
	s := start(t)
	for policy, stays := range map[string]bool{"Background": false, "Foreground": false, "Orphan": true} {
		rc := s.make(controllers, "default", fmt.Sprintf(web, 3))
		s.has(rc, 3)
		s.remove(controllers, "default", "web", policy)
		s.until(policy+": the owner has gone", func() bool { return s.find(controllers, "default", "web") == nil })
		if left := len(s.list(pods, "default")); policy == "Foreground" && left != 0 {
			t.Errorf("Foreground: the owner went before %d of its pods", left)
		}
		s.until(policy+": the pods are as they should be", func() bool {
			list := s.list(pods, "default")
			free := !slices.ContainsFunc(list, func(p *object.Object) bool { return p.Meta.OwnerReferences != nil })
			return stays && len(list) == 3 && free || !stays && len(list) == 0
		})
		for _, pod := range s.list(pods, "default") {
			s.remove(pods, "default", pod.Meta.Name, "Background")
		}
	}
}

func TestOneOfTwoOwnersIsEnough(t *testing.T) {
	s := start(t)
	a, b := s.make(configMaps, "default", `{"metadata":{"name":"a"}}`), s.make(configMaps, "default", `{"metadata":{"name":"b"}}`)
	s.make(configMaps, "default", `{"metadata":{"name":"child","ownerReferences":[`+ownedBy(a, false)+`,`+ownedBy(b, false)+`]}}`)
	s.remove(configMaps, "default", "a", "Background")
	s.until("the child forgets the owner that has gone", func() bool {
		refs := s.find(configMaps, "default", "child").Meta.OwnerReferences
		return len(refs) == 1 && refs[0].Name == "b"
	})
	s.remove(configMaps, "default", "b", "Background")
	s.until("the child goes with its last owner", func() bool { return s.find(configMaps, "default", "child") == nil })
}

func TestOwnersThatAreNotThere(t *testing.T) {
	s := start(t)
	s.make(namespaces, "", `{"metadata":{"name":"elsewhere"}}`)
	s.addBoats()
	far := s.make(configMaps, "elsewhere", `{"metadata":{"name":"far"}}`)
	here := s.make(configMaps, "default", `{"metadata":{"name":"here"}}`)
	again := *here
	again.Meta.UID = "11111111-2222-3333-4444-555555555555"
	unknown := object.Object{APIVersion: "example.org/v1", Kind: "Thing", Meta: object.Meta{Name: "x", UID: "u"}}
	child := func(in catalog.Resource, name string, owner *object.Object) {
		s.make(in, map[bool]string{true: "default"}[in.Namespaced], `{"metadata":{"name":"`+name+`","ownerReferences":[`+ownedBy(owner, true)+`]}`+
			map[bool]string{true: "}", false: `,"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"}}}`}[in.Namespaced])
	}
	child(configMaps, "wrong-namespace", far)
	child(configMaps, "wrong-uid", &again)
	child(configMaps, "unknown-kind", &unknown)
	child(boats, "of-a-new-kind", &again)
	child(configMaps, "fine", here)
	child(volumes, "outside", here)
	s.until("those whose owners do not exist have gone", func() bool {
		return s.find(configMaps, "default", "wrong-namespace") == nil && s.find(configMaps, "default", "wrong-uid") == nil && s.find(boats, "default", "of-a-new-kind") == nil
	})
	s.until("a reference into another namespace is complained of, and one from outside of all", func() bool {
		said := map[string]bool{}
		for _, event := range s.list(events, "") {
			said[at(event, "involvedObject", "name")+" "+at(event, "reason")] = true
		}
		return said["wrong-namespace OwnerRefInvalidNamespace"] && said["outside OwnerRefInvalidNamespace"]
	})
	for _, name := range []string{"fine", "unknown-kind"} {
		if s.find(configMaps, "default", name) == nil {
			t.Errorf("%s was collected: its owner exists, or nobody can know", name)
		}
	}
	if s.find(volumes, "", "outside") == nil {
		t.Error("an object outside of all namespaces was collected because its owner, which is inside of one, was not found")
	}
}

func TestACircleIsNotForEver(t *testing.T) {
	s := start(t)
	for _, policy := range []string{"Foreground", "Background"} {
		a := s.make(configMaps, "default", `{"metadata":{"name":"a"}}`)
		b := s.make(configMaps, "default", `{"metadata":{"name":"b","ownerReferences":[`+ownedBy(a, true)+`]}}`)
		s.patch(configMaps, "default", "a", "", map[string]any{"metadata": map[string]any{"ownerReferences": []map[string]any{
			{"apiVersion": "v1", "kind": "ConfigMap", "name": "b", "uid": b.Meta.UID, "blockOwnerDeletion": true},
			{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": a.Meta.UID, "blockOwnerDeletion": true},
		}}})
		s.remove(configMaps, "default", "a", policy)
		s.until(policy+": two that own each other have gone", func() bool {
			return s.find(configMaps, "default", "a") == nil && s.find(configMaps, "default", "b") == nil
		})
	}
}

func TestADependentOfAKindAddedLaterGoesWithItsOwner(t *testing.T) {
	s := start(t)
	s.addBoats()
	owner := s.make(configMaps, "default", `{"metadata":{"name":"owner"}}`)
	ark := s.make(boats, "default", `{"metadata":{"name":"ark","ownerReferences":[`+ownedBy(owner, true)+`]}}`)
	s.make(boats, "default", `{"metadata":{"name":"dinghy","ownerReferences":[`+ownedBy(ark, true)+`]}}`)
	s.remove(configMaps, "default", "owner", "Foreground")
	s.until("boats went with what they belong to", func() bool {
		return len(s.list(boats, "default")) == 0 && s.find(configMaps, "default", "owner") == nil
	})
}

func TestAKindMayGoAndComeBack(t *testing.T) {
	s := start(t)
	s.addBoats()
	owner := s.make(configMaps, "default", `{"metadata":{"name":"owner"}}`)
	ark := s.make(boats, "default", `{"metadata":{"name":"ark","ownerReferences":[`+ownedBy(owner, true)+`]}}`)
	s.make(configMaps, "default", `{"metadata":{"name":"cargo","ownerReferences":[`+ownedBy(ark, true)+`]}}`)
	s.removeBoats()
	s.remove(configMaps, "default", "owner", "Background")
	s.make(configMaps, "default", `{"metadata":{"name":"late","ownerReferences":[`+ownedBy(owner, true)+`]}}`)
	s.until("what belonged to the owner directly has gone", func() bool { return s.find(configMaps, "default", "late") == nil })
	if s.find(configMaps, "default", "cargo") == nil || s.find(boats, "default", "ark") == nil {
		t.Error("while a kind is served by nobody, its objects and what belongs to them were collected")
	}
	s.addBoats()
	s.until("what is left of the owner goes when its kind is back", func() bool {
		return s.find(boats, "default", "ark") == nil && s.find(configMaps, "default", "cargo") == nil
	})
}

func TestWhatIsUsedOfAQuotaIsCounted(t *testing.T) {
	s := start(t)
	s.addBoats()
	s.make(pods, "default", `{"metadata":{"name":"early"},"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"250m"}}}]}}`)
	s.make(quotas, "default", `{"metadata":{"name":"q"},"spec":{"hard":{"pods":"5","requests.cpu":"2","count/boats.harbor.example.com":"3","example.com/nobody":"1"}}}`)
	used := func(want string) {
		t.Helper()
		s.until("the quota's status says "+want, func() bool { return at(s.find(quotas, "default", "q"), "status", "used") == want })
	}
	used(`{"count/boats.harbor.example.com":"0","pods":"1","requests.cpu":"250m"}`)
	s.make(pods, "default", `{"metadata":{"name":"late"},"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}`)
	s.make(boats, "default", `{"metadata":{"name":"ark"}}`)
	used(`{"count/boats.harbor.example.com":"1","pods":"2","requests.cpu":"1250m"}`)
	s.patch(pods, "default", "late", "status", map[string]any{"status": map[string]any{"phase": "Succeeded"}})
	used(`{"count/boats.harbor.example.com":"1","pods":"1","requests.cpu":"250m"}`)
	s.remove(pods, "default", "early", "Background")
	s.remove(boats, "default", "ark", "Background")
	used(`{"count/boats.harbor.example.com":"0","pods":"0","requests.cpu":"0"}`)
	s.patch(quotas, "default", "q", "", map[string]any{"spec": map[string]any{"hard": map[string]any{"pods": "7", "requests.cpu": nil}}})
	s.until("the status takes over what the spec limits now", func() bool {
		return at(s.find(quotas, "default", "q"), "status", "hard") == `{"count/boats.harbor.example.com":"3","example.com/nobody":"1","pods":"7"}`
	})
}

func TestControllersAreChosen(t *testing.T) {
	for flag, want := range map[string][]string{
		"*":            {"garbagecollector", "namespace", "replicationcontroller", "resourcequota", "serviceaccount"},
		"*,-namespace": {"garbagecollector", "replicationcontroller", "resourcequota", "serviceaccount"},
		"namespace":    {"namespace"},
		"":             nil,
	} {
		s := start(t, "--controllers="+flag)
		_, body := s.get("/readyz?verbose")
		var got []string
		for _, name := range []string{"garbagecollector", "namespace", "replicationcontroller", "resourcequota", "serviceaccount"} {
			if strings.Contains(body, "poststarthook/start-"+name+"-controller ok") {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("--controllers=%s starts %q, want %q", flag, got, want)
		}
	}
}
