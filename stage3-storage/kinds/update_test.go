package kinds_test

import (
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/object"
	"github.com/google/go-cmp/cmp"
)

func podText(more string) string { return `{"spec":{"containers":[` + container + `]` + more + `}}` }
func claimText(more string) string {
	return `{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"2Gi"}}` + more + `}}`
}
func volumeText(spec string) string {
	return `{"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],` + spec + `}}`
}

// changes are updates and the complaints about them: "path reason".
var changes = map[string]struct {
	kind, before, after string
	want                []string
}{
	"the image of a pod":                {"Pod", podText(``), `{"spec":{"containers":[{"name":"c","image":"a:2"}]}}`, []string{}},
	"the command of a pod":              {"Pod", podText(``), `{"spec":{"containers":[{"name":"c","image":"a:1","command":["sh"]}]}}`, []string{"spec Forbidden"}},
	"the policy of a pod":               {"Pod", podText(``), podText(`,"restartPolicy":"Never"`), []string{"spec Forbidden"}},
	"the node of a pod":                 {"Pod", podText(``), podText(`,"nodeName":"n"`), []string{"spec Forbidden"}},
	"one container more":                {"Pod", podText(``), `{"spec":{"containers":[` + container + `,{"name":"d","image":"a"}]}}`, []string{"spec.containers Forbidden"}},
	"a deadline":                        {"Pod", podText(``), podText(`,"activeDeadlineSeconds":60`), []string{}},
	"an earlier deadline":               {"Pod", podText(`,"activeDeadlineSeconds":60`), podText(`,"activeDeadlineSeconds":50`), []string{}},
	"a later deadline":                  {"Pod", podText(`,"activeDeadlineSeconds":60`), podText(`,"activeDeadlineSeconds":90`), []string{"spec.activeDeadlineSeconds Invalid"}},
	"no deadline any more":              {"Pod", podText(`,"activeDeadlineSeconds":60`), podText(``), []string{"spec.activeDeadlineSeconds Invalid"}},
	"one toleration more":               {"Pod", podText(``), podText(`,"tolerations":[{"key":"a","operator":"Exists"}]`), []string{}},
	"one toleration fewer":              {"Pod", podText(`,"tolerations":[{"key":"a","operator":"Exists"}]`), podText(``), []string{"spec.tolerations Forbidden"}},
	"one gate fewer":                    {"Pod", podText(`,"schedulingGates":[{"name":"a"},{"name":"b"}]`), podText(`,"schedulingGates":[{"name":"b"}]`), []string{}},
	"one gate more":                     {"Pod", podText(`,"schedulingGates":[{"name":"a"}]`), podText(`,"schedulingGates":[{"name":"a"},{"name":"b"}]`), []string{"spec.schedulingGates[1].name Forbidden"}},
	"a choosier pod at a gate":          {"Pod", podText(`,"schedulingGates":[{"name":"a"}]`), podText(`,"schedulingGates":[{"name":"a"}],"nodeSelector":{"x":"y"}`), []string{}},
	"a choosier pod":                    {"Pod", podText(``), podText(`,"nodeSelector":{"x":"y"}`), []string{"spec Forbidden"}},
	"a less choosy pod at a gate":       {"Pod", podText(`,"schedulingGates":[{"name":"a"}],"nodeSelector":{"x":"y"}`), podText(`,"schedulingGates":[{"name":"a"}]`), []string{"spec.nodeSelector Invalid"}},
	"a sealed configmap's data":         {"ConfigMap", `{"immutable":true,"data":{"a":"b"}}`, `{"immutable":true,"data":{"a":"c"}}`, []string{"data Forbidden"}},
	"a seal":                            {"ConfigMap", `{"immutable":true}`, `{"immutable":false}`, []string{"immutable Forbidden"}},
	"a secret's type":                   {"Secret", `{"type":"a"}`, `{"type":"b"}`, []string{"type Invalid"}},
	"a sealed secret's data":            {"Secret", `{"immutable":true,"data":{"a":"eA=="}}`, `{"immutable":true,"stringData":{"a":"y"}}`, []string{"data Forbidden"}},
	"a quota's scopes":                  {"ResourceQuota", `{"spec":{"hard":{"pods":"1"},"scopes":["Terminating"]}}`, `{"spec":{"hard":{"pods":"1"}}}`, []string{"spec.scopes Invalid"}},
	"a node's network":                  {"Node", `{"spec":{"podCIDR":"10.0.0.0/24"}}`, `{"spec":{"podCIDR":"10.1.0.0/24"}}`, []string{"spec.podCIDRs Forbidden"}},
	"a node's first, wrong network":     {"Node", `{}`, `{"spec":{"podCIDR":"10.0.0.0"}}`, []string{"spec.podCIDRs[0] Invalid"}},
	"a node's provider":                 {"Node", `{"spec":{"providerID":"a"}}`, `{"spec":{}}`, []string{"spec.providerID Forbidden"}},
	"a claim's modes":                   {"PersistentVolumeClaim", claimText(``), `{"spec":{"accessModes":["ReadWriteMany"],"resources":{"requests":{"storage":"2Gi"}}}}`, []string{"spec Forbidden"}},
	"a claim's size":                    {"PersistentVolumeClaim", claimText(``), `{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`, []string{"spec Forbidden"}},
	"a claim that gets its volume":      {"PersistentVolumeClaim", claimText(``), claimText(`,"volumeName":"v"`), []string{}},
	"a claim that gets its class":       {"PersistentVolumeClaim", claimText(``), claimText(`,"storageClassName":"s"`), []string{}},
	"a claim's mode":                    {"PersistentVolumeClaim", claimText(``), claimText(`,"volumeMode":"Block"`), []string{"spec Forbidden", "volumeMode Invalid"}},
	"where a volume is":                 {"PersistentVolume", volumeText(`"hostPath":{"path":"/a"}`), volumeText(`"hostPath":{"path":"/b"}`), []string{"spec.persistentvolumesource Forbidden"}},
	"a volume's policy":                 {"PersistentVolume", volumeText(`"hostPath":{"path":"/a"}`), volumeText(`"hostPath":{"path":"/a"},"persistentVolumeReclaimPolicy":"Delete"`), []string{}},
	"endpoints that were wrong already": {"Endpoints", `{"subsets":[{"addresses":[{"ip":"127.0.0.1"}]}]}`, `{"subsets":[{"addresses":[{"ip":"127.0.0.1"}]}]}`, []string{}},
}

func TestWhatCannotChangeIsKept(t *testing.T) {
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			k := kind(t, kinds.Core(newOptions()), c.kind)
			old, err := create(t, k, c.before)
			if err != nil {
				t.Fatal(err)
			}
			o, err := update(t, k, c.after, old)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, complaints(check(k, o, old))); diff != "" {
				t.Errorf("the complaints are not what they should be (-want +got):\n%s", diff)
			}
		})
	}
}

func TestABoundClaimMayGrow(t *testing.T) {
	claim := kind(t, kinds.Core(newOptions()), "PersistentVolumeClaim")
	size := func(n string) string {
		return `{"spec":{"accessModes":["ReadWriteOnce"],"volumeName":"v","resources":{"requests":{"storage":"` + n + `"}}}}`
	}
	old, err := create(t, claim, size("2Gi"))
	if err != nil {
		t.Fatal(err)
	}
	old.Fields["status"] = map[string]any{"phase": "Bound", "capacity": map[string]any{"storage": "2Gi"}}
	for n, want := range map[string][]string{"3Gi": {}, "1Gi": {"spec.resources.requests.storage Forbidden"}} {
		o, err := update(t, claim, size(n), old)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, complaints(check(claim, o, old))); diff != "" {
			t.Errorf("a bound claim of 2Gi becomes one of %s (-want +got):\n%s", n, diff)
		}
	}
}

func TestWrongStatusesAreRefused(t *testing.T) {
	deleted := func(o *object.Object) { o.Meta.DeletionTimestamp = object.Now() }
	for name, c := range map[string]struct {
		kind, before, after string
		change              func(*object.Object)
		want                []string
	}{
		"a pod's class":                   {"Pod", `{"status":{"qosClass":"BestEffort"}}`, `{"status":{"qosClass":"Guaranteed"}}`, nil, []string{"status.qosClass Invalid"}},
		"a pod's address":                 {"Pod", `{}`, `{"status":{"podIPs":[{"ip":"x"}]}}`, nil, []string{"status.podIPs[0] Invalid"}},
		"a pod's conditions":              {"Pod", `{}`, `{"status":{"conditions":[{"type":"Ready"},{"type":"a b"}]}}`, nil, []string{"metadata.conditions[1].Type Invalid"}},
		"a container that has ended":      {"Pod", `{"spec":{"restartPolicy":"Never"},"status":{"containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":1}}}]}}`, `{"status":{"containerStatuses":[{"name":"c","state":{"running":{}}}]}}`, nil, []string{"status.containerStatuses[0].state Forbidden"}},
		"one that may run again":          {"Pod", `{"spec":{"restartPolicy":"OnFailure"},"status":{"containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":1}}}]}}`, `{"status":{"containerStatuses":[{"name":"c","state":{"running":{}}}]}}`, nil, []string{}},
		"a namespace that ends":           {"Namespace", `{}`, `{"status":{"phase":"Terminating"}}`, nil, []string{"status.Phase Invalid"}},
		"a deleted namespace":             {"Namespace", `{}`, `{"status":{"phase":"Active"}}`, deleted, []string{"status.Phase Invalid"}},
		"a controller's replicas":         {"ReplicationController", `{}`, `{"status":{"replicas":1,"readyReplicas":2,"availableReplicas":-1}}`, nil, []string{"status.availableReplicas Invalid", "status.readyReplicas Invalid"}},
		"what a quota counts":             {"ResourceQuota", `{}`, `{"status":{"used":{"pods":"-1"}}}`, nil, []string{"status.used[pods] Invalid"}},
		"where a balancer listens":        {"Service", `{"spec":{"type":"LoadBalancer","ports":[{"port":80}]}}`, `{"spec":{"type":"LoadBalancer","ports":[{"port":80}]},"status":{"loadBalancer":{"ingress":[{"ip":"x","ipMode":"Y"}]}}}`, nil, []string{"status.loadBalancer.ingress[0].ip Invalid", "status.loadBalancer.ingress[0].ipMode NotSupported"}},
		"what a claim has":                {"PersistentVolumeClaim", `{}`, `{"status":{"capacity":{"storage":"-1"}}}`, nil, []string{"status.capacity[storage] Invalid"}},
		"how much a node has":             {"Node", `{}`, `{"status":{"capacity":{"pods":"1500m"}}}`, nil, []string{"status.capacity.pods Invalid", "status.allocatable.pods Invalid"}},
		"the finalizers of a namespace":   {"Namespace/finalize", `{}`, `{"spec":{"finalizers":["kubernetes","example.com/a"]}}`, nil, []string{}},
		"unknown finalizers of namespace": {"Namespace/finalize", `{}`, `{"spec":{"finalizers":["a"]}}`, nil, []string{"spec.finalizers[0] Invalid"}},
	} {
		t.Run(name, func(t *testing.T) {
			list := kinds.Core(newOptions())
			strategy := kind(t, list, "Namespace").Sub["finalize"]
			name := c.kind
			if name != "Namespace/finalize" {
				strategy = *kind(t, list, c.kind).Status
			} else {
				name = "Namespace"
			}
			k := kind(t, list, name)
			old, o := parse(t, k, c.before), parse(t, k, c.after)
			if c.change != nil {
				c.change(o)
			}
			if o.Fields["spec"] == nil {
				o.Fields["spec"] = old.Fields["spec"]
			}
			if strategy.Default != nil {
				strategy.Default(o)
			}
			if diff := cmp.Diff(c.want, complaints(strategy.ValidateUpdate(o, old))); diff != "" {
				t.Errorf("the complaints are not what they should be (-want +got):\n%s", diff)
			}
		})
	}
}
