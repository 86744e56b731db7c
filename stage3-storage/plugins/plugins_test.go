package plugins_test

import (
	"context"
	"encoding/json"
	"testing"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/plugins"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"github.com/google/go-cmp/cmp"
)

// chain makes a chain of plugins by their names, as the server does.
func chain(t testing.TB, names ...string) admission.Chain {
	t.Helper()
	var registry optionsadmission.Plugins
	if err := plugins.Register(&registry); err != nil {
		t.Fatal(err)
	}
	list, err := registry.NewFromPlugins(names, nil, func(p optionsadmission.Interface) {
		if w, ok := p.(interface {
			SetTolerationSeconds(notReady, unreachable int64)
		}); ok {
			w.SetTolerationSeconds(300, 60)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func parse(t testing.TB, text string) *object.Object {
	t.Helper()
	if text == "" {
		return nil
	}
	tree, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("the test's own JSON does not parse: %v\n%s", err, text)
	}
	o, err := object.FromTree(tree)
	if err != nil {
		t.Fatal(err)
	}
	o.Meta.Name = "x"
	return o
}

// resources are the rows that the tests write to.
var resources = map[string]catalog.Resource{
	"pods":                   {Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true},
	"services":               {Version: "v1", Name: "services", Kind: "Service", Namespaced: true},
	"nodes":                  {Version: "v1", Name: "nodes", Kind: "Node"},
	"persistentvolumes":      {Version: "v1", Name: "persistentvolumes", Kind: "PersistentVolume"},
	"persistentvolumeclaims": {Version: "v1", Name: "persistentvolumeclaims", Kind: "PersistentVolumeClaim", Namespaced: true},
	"configmaps":             {Version: "v1", Name: "configmaps", Kind: "ConfigMap", Namespaced: true},
	"replicationcontrollers": {Version: "v1", Name: "replicationcontrollers", Kind: "ReplicationController", Namespaced: true},
	"deployments":            {Group: "apps", Version: "v1", Name: "deployments", Kind: "Deployment", Namespaced: true},
}

// write lets a chain see one write, and returns the object as it is afterwards.
func write(t testing.TB, c admission.Chain, resource, old, obj, subresource string, u request.User) (*object.Object, error) {
	t.Helper()
	a := &admission.Attributes{
		Operation: rest.Create, Resource: resources[resource], Subresource: subresource, Key: rest.Key{Name: "x"},
		Object: parse(t, obj), Old: parse(t, old), User: u,
	}
	if a.Old != nil {
		a.Operation = rest.Update
	}
	err := c.Admit(context.Background(), a)
	if err == nil {
		err = c.Validate(context.Background(), a)
	}
	return a.Object, err
}

func same(t testing.TB, o *object.Object, want string) {
	t.Helper()
	var got, wanted any
	o.Meta.Name = ""
	if err := json.Unmarshal(o.Encode(), &got); err != nil {
		t.Fatal(err)
	}
	full := parse(t, want)
	full.Meta.Name = ""
	if err := json.Unmarshal(full.Encode(), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("the plugin makes something else of the object (-want +got):\n%s", diff)
	}
}

const (
	bothTolerations = `{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},` +
		`{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}`
	taint = `{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}`
)

var changes = map[string]struct {
	plugin, resource, old, obj, want string
}{
	"a pod leaves a lost node after a while":              {"DefaultTolerationSeconds", "pods", ``, `{"spec":{}}`, `{"spec":{"tolerations":[` + bothTolerations + `]}}`},
	"a pod that tolerates everything is left alone":       {"DefaultTolerationSeconds", "pods", ``, `{"spec":{"tolerations":[{"operator":"Exists"}]}}`, `{"spec":{"tolerations":[{"operator":"Exists"}]}}`},
	"a toleration of another effect does not count":       {"DefaultTolerationSeconds", "pods", `{"spec":{}}`, `{"spec":{"tolerations":[{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}]}}`, `{"spec":{"tolerations":[{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"},` + bothTolerations + `]}}`},
	"a new node is not ready":                             {"TaintNodesByCondition", "nodes", ``, `{"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}`, `{"spec":{"taints":[{"key":"a","effect":"NoSchedule"},` + taint + `]}}`},
	"a node that says so itself is left alone":            {"TaintNodesByCondition", "nodes", ``, `{"spec":{"taints":[` + taint + `]}}`, `{"spec":{"taints":[` + taint + `]}}`},
	"a node that changes is left alone":                   {"TaintNodesByCondition", "nodes", `{"spec":{}}`, `{"spec":{}}`, `{"spec":{}}`},
	"a pod without a class has the priority 0":            {"Priority", "pods", ``, `{"spec":{}}`, `{"spec":{"priority":0,"preemptionPolicy":"PreemptLowerPriority"}}`},
	"a class of the system is a number":                   {"Priority", "pods", ``, `{"spec":{"priorityClassName":"system-node-critical"}}`, `{"spec":{"priorityClassName":"system-node-critical","priority":2000001000,"preemptionPolicy":"PreemptLowerPriority"}}`},
	"who updates a pod need not repeat its priority":      {"Priority", "pods", `{"spec":{"priority":7,"preemptionPolicy":"Never"}}`, `{"spec":{}}`, `{"spec":{"priority":7,"preemptionPolicy":"Never"}}`},
	"a claim stays while it is used":                      {"StorageObjectInUseProtection", "persistentvolumeclaims", ``, `{"metadata":{"finalizers":["a/b"]}}`, `{"metadata":{"finalizers":["a/b","kubernetes.io/pvc-protection"]}}`},
	"a volume stays while it is used":                     {"StorageObjectInUseProtection", "persistentvolumes", ``, `{"metadata":{"finalizers":["kubernetes.io/pv-protection"]}}`, `{"metadata":{"finalizers":["kubernetes.io/pv-protection"]}}`},
	"other objects get no finalizer":                      {"StorageObjectInUseProtection", "configmaps", ``, `{}`, `{}`},
	"all images of a pod are pulled":                      {"AlwaysPullImages", "pods", ``, `{"spec":{"containers":[{"image":"a","imagePullPolicy":"Never"}],"initContainers":[{"image":"b"}],"volumes":[{"image":{"reference":"c"}}]}}`, `{"spec":{"containers":[{"image":"a","imagePullPolicy":"Always"}],"initContainers":[{"image":"b","imagePullPolicy":"Always"}],"volumes":[{"image":{"reference":"c","pullPolicy":"Always"}}]}}`},
	"a pod that keeps its images keeps its policy":        {"AlwaysPullImages", "pods", `{"spec":{"containers":[{"image":"a"}]}}`, `{"spec":{"containers":[{"image":"a","imagePullPolicy":"Never"}]}}`, `{"spec":{"containers":[{"image":"a","imagePullPolicy":"Never"}]}}`},
	"a pod that wants devices tolerates their taint":      {"ExtendedResourceToleration", "pods", ``, `{"spec":{"containers":[{"resources":{"requests":{"cpu":"1","x.org/b":"1","x.org/a":"1"}}}]}}`, `{"spec":{"containers":[{"resources":{"requests":{"cpu":"1","x.org/b":"1","x.org/a":"1"}}}],"tolerations":[{"key":"x.org/a","operator":"Exists","effect":"NoSchedule"},{"key":"x.org/b","operator":"Exists","effect":"NoSchedule"}]}}`},
	"the article's example: every deployment has scale 1": {"ExampleSetReplicas", "deployments", ``, `{"spec":{"replicas":5}}`, `{"spec":{"replicas":1}}`},
}

func TestAPluginFillsInWhatTheAuthorLeftOut(t *testing.T) {
	for claim, c := range changes {
		t.Run(claim, func(t *testing.T) {
			got, err := write(t, chain(t, c.plugin), c.resource, c.old, c.obj, "", request.Unsecured)
			if err != nil {
				t.Fatalf("%s refuses: %v", c.plugin, err)
			}
			same(t, got, c.want)
		})
	}
}

func TestAPluginLeavesSubresourcesAlone(t *testing.T) {
	for claim, c := range changes {
		t.Run(claim, func(t *testing.T) {
			got, err := write(t, chain(t, c.plugin), c.resource, c.old, c.obj, "status", request.Unsecured)
			if err != nil {
				t.Fatalf("%s refuses: %v", c.plugin, err)
			}
			same(t, got, c.obj)
		})
	}
}

var refusals = map[string]struct {
	plugin, resource, old, obj, why string // why is "" where the plugin has nothing against it
}{
	"everything is refused":                        {"AlwaysDeny", "pods", ``, `{}`, "admission control is denying all modifications"},
	"a class that nobody has made":                 {"Priority", "pods", ``, `{"spec":{"priorityClassName":"gold"}}`, "no PriorityClass with name gold was found"},
	"a number that is not the class's":             {"Priority", "pods", ``, `{"spec":{"priority":5}}`, "the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name"},
	"a policy that is not the class's":             {"Priority", "pods", ``, `{"spec":{"preemptionPolicy":"Never"}}`, "the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name"},
	"an address from outside":                      {"DenyServiceExternalIPs", "services", `{"spec":{"externalIPs":["1.2.3.4"]}}`, `{"spec":{"externalIPs":["1.2.3.4","1.2.3.5"]}}`, "Use of external IPs is denied by admission control."},
	"an address that the service has already":      {"DenyServiceExternalIPs", "services", `{"spec":{"externalIPs":["1.2.3.4","1.2.3.5"]}}`, `{"spec":{"externalIPs":["1.2.3.5"]}}`, ""},
	"keeping others off a zone":                    {"LimitPodHardAntiAffinityTopology", "pods", ``, `{"spec":{"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone"}]}}}}`, "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed"},
	"keeping others off a node":                    {"LimitPodHardAntiAffinityTopology", "pods", ``, `{"spec":{"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"kubernetes.io/hostname"}]}}}}`, ""},
	"a pod that chooses its user":                  {"SecurityContextDeny", "pods", ``, `{"spec":{"securityContext":{"runAsUser":0}}}`, "pod.Spec.SecurityContext.RunAsUser is forbidden"},
	"a container that chooses its labels":          {"SecurityContextDeny", "pods", ``, `{"spec":{"initContainers":[{"securityContext":{"seLinuxOptions":{}}}]}}`, "SecurityContext.SELinuxOptions is forbidden"},
	"the article's example, in a namespace":        {"ExampleDenyUser", "pods", ``, `{}`, ""},
	"the article's example, for the whole cluster": {"ExampleDenyUser", "nodes", ``, `{}`, `user "alice" is not in the group system:masters`},
}

func TestAPluginRefusesWhatItShould(t *testing.T) {
	for claim, c := range refusals {
		t.Run(claim, func(t *testing.T) {
			_, err := write(t, chain(t, c.plugin), c.resource, c.old, c.obj, "", request.User{Name: "alice"})
			want := c.resource + ` "x" is forbidden: ` + c.why
			switch {
			case c.why == "" && err != nil:
				t.Errorf("%s refuses with %q, want it to have nothing against that", c.plugin, err)
			case c.why != "" && err == nil:
				t.Errorf("%s lets it pass, want %q", c.plugin, want)
			case c.why != "" && err.Error() != want:
				t.Errorf("%s says\n\t%v\nwant\n\t%s", c.plugin, err, want)
			}
		})
	}
}

func TestAdministratorsMayDoWhatTheExampleRefuses(t *testing.T) {
	if _, err := write(t, chain(t, "ExampleDenyUser"), "nodes", "", `{}`, "", request.Unsecured); err != nil {
		t.Errorf("a user in system:masters is refused: %v", err)
	}
}

func TestPluginsSeeWhatThoseBeforeThemHaveMade(t *testing.T) {
	got, err := write(t, chain(t, "ExtendedResourceToleration", "Priority", "DefaultTolerationSeconds"), "pods", "",
		`{"spec":{"containers":[{"resources":{"requests":{"x.org/a":"1"}}}]}}`, "", request.Unsecured)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, `{"spec":{"containers":[{"resources":{"requests":{"x.org/a":"1"}}}],"priority":0,"preemptionPolicy":"PreemptLowerPriority",
		"tolerations":[{"key":"x.org/a","operator":"Exists","effect":"NoSchedule"},`+bothTolerations+`]}}`)
}

// spoiler is a plugin that changes what another one has set.
type spoiler struct{ admission.Handler }

func (spoiler) Admit(_ context.Context, a *admission.Attributes) error {
	a.Object.Fields["spec"] = map[string]any{"containers": []any{map[string]any{"image": "a", "imagePullPolicy": "Never"}}}
	return nil
}

func TestWhatALaterPluginSpoilsIsRefusedInTheEnd(t *testing.T) {
	c := append(chain(t, "AlwaysPullImages"), spoiler{admission.Handler{rest.Create}})
	_, err := write(t, c, "pods", "", `{"spec":{"containers":[{"image":"a"}]}}`, "", request.Unsecured)
	const want = `pods "x" is forbidden: spec.containers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"`
	if err == nil || err.Error() != want {
		t.Errorf("a pod that does not pull its images ends with %v, want %s", err, want)
	}
}

func TestAPluginWithoutConfigurationRefusesOne(t *testing.T) {
	var registry optionsadmission.Plugins
	if err := plugins.Register(&registry); err != nil {
		t.Fatal(err)
	}
	_, err := registry.NewFromPlugins([]string{"Priority"}, optionsadmission.Configuration{"Priority": []byte(`{}`)})
	if err == nil {
		t.Error("a plugin that has nothing to configure was given a configuration and kept quiet about it")
	}
}
