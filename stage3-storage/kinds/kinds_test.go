package kinds_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/object"
	"github.com/google/go-cmp/cmp"
)

func TestTheTableHasEveryKindOfTheCoreGroupOnce(t *testing.T) {
	var names []string
	stored := map[string]string{}
	for _, k := range kinds.Core(newOptions()) {
		r := k.Resource
		names = append(names, r.Name)
		if r.Version != "v1" || r.Group != "" || r.Kind == "" || r.Singular == "" || r.StoredUnder == "" {
			t.Errorf("the row of %s is not complete: %+v", r.Name, r)
		}
		if r.Singular != strings.ToLower(r.Kind) {
			t.Errorf("the singular of %s is %q, kubectl expects %q", r.Kind, r.Singular, strings.ToLower(r.Kind))
		}
		if other := stored[r.StoredUnder]; other != "" {
			t.Errorf("%s and %s are stored under the same key", r.Name, other)
		}
		stored[r.StoredUnder] = r.Name
		if k.Strategy.HasGeneration && k.Status != nil && k.Status.HasGeneration {
			t.Errorf("a write of the status of %s would raise the generation", r.Name)
		}
		for _, c := range k.Columns {
			if c.Cell == nil || c.Name == "" || c.Type == "" || (c.Of == "") == (c.Text == "") {
				t.Errorf("the column %q of %s is not complete: it needs a type, a cell and either a field or a text", c.Name, r.Name)
			}
		}
	}
	want := []string{
		"configmaps", "endpoints", "events", "limitranges", "namespaces", "nodes", "persistentvolumeclaims", "persistentvolumes",
		"pods", "podtemplates", "replicationcontrollers", "resourcequotas", "secrets", "serviceaccounts", "services",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("the kinds are not those of the core group (-want +got):\n%s", diff)
	}
}

func TestKeysInTheStoreAreThoseOfUpstream(t *testing.T) {
	for kindName, key := range map[string]string{
		"Pod": "pods", "Node": "minions", "Service": "services/specs", "Endpoints": "services/endpoints", "ReplicationController": "controllers",
	} {
		if got := kind(t, kinds.Core(newOptions()), kindName).Resource.StoredUnder; got != key {
			t.Errorf("a %s is stored under %q, and kube-apiserver would look under %q", kindName, got, key)
		}
	}
}

func TestOnlyWhatUpstreamReturnsIsReturnedByDelete(t *testing.T) {
	var returned, createdByPut, orphan []string
	for _, k := range kinds.Core(newOptions()) {
		if k.Strategy.ReturnDeleted {
			returned = append(returned, k.Resource.Name)
		}
		if k.Strategy.AllowCreateOnUpdate {
			createdByPut = append(createdByPut, k.Resource.Name)
		}
		if k.Strategy.OrphanByDefault {
			orphan = append(orphan, k.Resource.Name)
		}
	}
	for _, c := range []struct {
		what      string
		got, want []string
	}{
		{"DELETE returns the object of", returned, []string{"namespaces", "persistentvolumeclaims", "persistentvolumes", "pods", "podtemplates", "resourcequotas", "serviceaccounts", "services"}},
		{"PUT creates", createdByPut, []string{"endpoints", "events", "limitranges", "services"}},
		{"dependents outlive", orphan, []string{"replicationcontrollers"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestADeletedPodStaysAsLongAsItsNodeNeeds(t *testing.T) {
	pod := kind(t, kinds.Core(newOptions()), "Pod")
	seconds := func(n int64) *int64 { return &n }
	for name, c := range map[string]struct {
		pod   string
		asked *int64
		want  int64
	}{
		"without a node":              {`{"spec":{"terminationGracePeriodSeconds":30}}`, nil, 0},
		"on a node":                   {`{"spec":{"nodeName":"n","terminationGracePeriodSeconds":30}}`, nil, 30},
		"asked for less":              {`{"spec":{"nodeName":"n","terminationGracePeriodSeconds":30}}`, seconds(5), 5},
		"asked for a negative period": {`{"spec":{"nodeName":"n","terminationGracePeriodSeconds":30}}`, seconds(-1), 1},
		"asked for none":              {`{"spec":{"nodeName":"n","terminationGracePeriodSeconds":30}}`, seconds(0), 0},
		"that has failed":             {`{"spec":{"nodeName":"n","terminationGracePeriodSeconds":30},"status":{"phase":"Failed"}}`, nil, 0},
		"that has succeeded":          {`{"spec":{"nodeName":"n","terminationGracePeriodSeconds":30},"status":{"phase":"Succeeded"}}`, seconds(9), 0},
	} {
		if got := pod.Strategy.GracePeriod(parse(t, pod, c.pod), c.asked); got != c.want {
			t.Errorf("a pod %s stays %d s, want %d", name, got, c.want)
		}
	}
}

func TestANamespaceStaysWhileItsSpecHasFinalizers(t *testing.T) {
	ns := kind(t, kinds.Core(newOptions()), "Namespace")
	o, err := create(t, ns, `{"metadata":{"name":"a"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tree(t, `{"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}`), fields(o)); diff != "" {
		t.Errorf("a new namespace is not active or not held (-want +got):\n%s", diff)
	}
	o.Meta.DeletionTimestamp, o.Meta.DeletionGracePeriodSeconds = object.Now(), new(int64)
	if !ns.Strategy.Keep(o) {
		t.Error("a namespace with a finalizer in its spec does not stay")
	}
	if fields(o)["status"].(map[string]any)["phase"] != "Terminating" || o.Meta.DeletionGracePeriodSeconds != nil {
		t.Errorf("a deleted namespace is terminating and has no grace period, got %v and %v", o.Fields["status"], o.Meta.DeletionGracePeriodSeconds)
	}
	delete(o.Fields, "spec")
	if ns.Strategy.Keep(o) {
		t.Error("nothing keeps the namespace and it stays")
	}
}

func TestNamespacesCarryNoFinalizerWhereNobodyRemovesIt(t *testing.T) {
	options := newOptions()
	options.NamespaceFinalizer = ""
	o, err := create(t, kind(t, kinds.Core(options), "Namespace"), `{"metadata":{"name":"a"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tree(t, `{"spec":{},"status":{"phase":"Active"}}`), fields(o)); diff != "" {
		t.Errorf("the namespace would never go away (-want +got):\n%s", diff)
	}
}

func TestFinalizersOfANamespaceDoNotChangeByAnUpdate(t *testing.T) {
	ns := kind(t, kinds.Core(newOptions()), "Namespace")
	old, err := create(t, ns, `{}`)
	if err != nil {
		t.Fatal(err)
	}
	o, err := update(t, ns, `{"metadata":{"labels":{"a":"b"}},"spec":{"finalizers":[]},"status":{"phase":"Terminating"}}`, old)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fields(old), fields(o)); diff != "" {
		t.Errorf("an update has changed what only /finalize and /status change (-want +got):\n%s", diff)
	}
	if o.Meta.Labels["kubernetes.io/metadata.name"] != "x" || o.Meta.Labels["a"] != "b" {
		t.Errorf("the label with the name should stand beside the client's, got %v", o.Meta.Labels)
	}
}

func TestEventsLiveAsLongAsTheFlagSays(t *testing.T) {
	options := newOptions()
	options.EventTTL = 5 * time.Minute
	event := kind(t, kinds.Core(options), "Event")
	if got := event.Strategy.TTL(parse(t, event, `{}`)); got != 5*time.Minute {
		t.Errorf("an event lives %v, want 5m", got)
	}
}

func TestFieldsThatSelectorsMayAskFor(t *testing.T) {
	list := kinds.Core(newOptions())
	for _, c := range []struct{ kind, object, path, want string }{
		{"Pod", `{"spec":{"nodeName":"n"}}`, "spec.nodeName", "n"},
		{"Pod", `{"spec":{"hostNetwork":true}}`, "spec.hostNetwork", "true"},
		{"Pod", `{}`, "spec.hostNetwork", "false"},
		{"Pod", `{"status":{"podIPs":[{"ip":"192.0.2.5"}]}}`, "status.podIP", "192.0.2.5"},
		{"Pod", `{"status":{"phase":"Running"}}`, "status.phase", "Running"},
		{"Node", `{"spec":{"unschedulable":true}}`, "spec.unschedulable", "true"},
		{"Namespace", `{"status":{"phase":"Active"}}`, "status.phase", "Active"},
		{"Secret", `{"type":"Opaque"}`, "type", "Opaque"},
		{"Service", `{"spec":{"type":"NodePort"}}`, "spec.type", "NodePort"},
		{"ReplicationController", `{"status":{"replicas":3}}`, "status.replicas", "3"},
		{"Event", `{"involvedObject":{"kind":"Pod"}}`, "involvedObject.kind", "Pod"},
		{"Event", `{"reportingComponent":"agent"}`, "source", "agent"},
	} {
		k := kind(t, list, c.kind)
		if got, ok := k.Strategy.Field(parse(t, k, c.object), c.path); !ok || got != c.want {
			t.Errorf("the field %s of a %s is %q (known: %v), want %q", c.path, c.kind, got, ok, c.want)
		}
		if _, ok := k.Strategy.Field(&object.Object{}, c.path); !ok {
			t.Errorf("whether %s of a %s can be asked for must not depend on the object", c.path, c.kind)
		}
		if _, ok := k.Strategy.Field(parse(t, k, `{}`), "spec.nothing"); ok {
			t.Errorf("a %s claims to have the field spec.nothing", c.kind)
		}
	}
}

func TestAStatusWriteKeepsWhatOthersDecide(t *testing.T) {
	pod := kind(t, kinds.Core(newOptions()), "Pod")
	old := parse(t, pod, `{"status":{"phase":"Pending","qosClass":"BestEffort"}}`)
	old.Meta.OwnerReferences = []object.OwnerReference{{APIVersion: "v1", Kind: "ReplicationController", Name: "rc", UID: "u"}}
	o := parse(t, pod, `{"status":{"phase":"Running","podIP":"192.0.2.1"}}`)
	pod.Status.Default(o)
	if err := pod.Status.PrepareForUpdate(context.Background(), o, old); err != nil {
		t.Fatal(err)
	}
	want := tree(t, `{"status":{"phase":"Running","qosClass":"BestEffort","podIP":"192.0.2.1","podIPs":[{"ip":"192.0.2.1"}]}}`)
	if diff := cmp.Diff(want, fields(o)); diff != "" {
		t.Errorf("the status is not as it should be (-want +got):\n%s", diff)
	}
	if len(o.Meta.OwnerReferences) != 1 {
		t.Error("a write of the status has changed the owners")
	}
}
