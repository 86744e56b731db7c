package kinds_test

import (
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"github.com/google/go-cmp/cmp"
)

func TestWhatIsAllowedAndSurelyNotMeantIsSaid(t *testing.T) {
	pod := func(more string) string {
		return `{"metadata":{"name":"p"},"spec":{"containers":[` + container + `]` + more + `}}`
	}
	for name, c := range map[string]struct {
		kind, in string
		want     []string
	}{
		"a plain pod":               {"Pod", pod(``), nil},
		"a name with dots":          {"Pod", `{"metadata":{"name":"a.b"},"spec":{"containers":[` + container + `]}}`, []string{"metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]"}},
		"a node's old label":        {"Pod", pod(`,"nodeSelector":{"beta.kubernetes.io/os":"linux"}`), []string{`spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead`}},
		"spread over nobody":        {"Pod", pod(`,"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"a","whenUnsatisfiable":"DoNotSchedule"}]`), []string{"spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod"}},
		"an old volume":             {"Pod", pod(`,"volumes":[{"name":"v","storageos":{"volumeName":"a"}}]`), []string{"spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+"}},
		"an address twice":          {"Pod", pod(`,"hostAliases":[{"ip":"192.0.2.1"},{"ip":"192.0.2.1"}]`), []string{`spec.hostAliases[1].ip: duplicate ip "192.0.2.1"`}},
		"a nameless secret":         {"Pod", pod(`,"imagePullSecrets":[{}]`), []string{`spec.imagePullSecrets[0].name: invalid empty name ""`}},
		"half a byte":               {"Pod", pod(`,"overhead":{"memory":"500m"}`), []string{`spec.overhead[memory]: fractional byte value "500m" is invalid, must be an integer`}},
		"an end before now":         {"PodTemplate", `{"template":{"spec":{"terminationGracePeriodSeconds":-1,"containers":[` + container + `]}}}`, []string{"template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1"}},
		"a hidden variable":         {"Pod", `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"a","env":[{"name":"A","value":"1"},{"name":"A","value":"2"}]}]}}`, []string{`spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply`}},
		"an address of no port":     {"Pod", `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"a","ports":[{"containerPort":1,"hostIP":"192.0.2.1"}]}]}}`, []string{"spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:1 Protocol:TCP HostIP:192.0.2.1}"}},
		"a port twice":              {"Pod", `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"a","ports":[{"containerPort":1}]},{"name":"d","image":"a","ports":[{"containerPort":1}]}]}}`, []string{"spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]"}},
		"a template's annotation":   {"ReplicationController", `{"metadata":{"name":"r"},"spec":{"template":{"metadata":{"labels":{"a":"b"},"annotations":{"seccomp.security.alpha.kubernetes.io/pod":"unconfined"}},"spec":{"containers":[` + container + `]}}}}`, []string{`spec.template.metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead`}},
		"an old storage class":      {"PersistentVolumeClaim", `{"metadata":{"name":"c","annotations":{"volume.beta.kubernetes.io/storage-class":"a"}},"spec":{}}`, []string{`metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead`}},
		"a recycled volume":         {"PersistentVolume", `{"metadata":{"name":"v"},"spec":{"persistentVolumeReclaimPolicy":"Recycle"}}`, []string{"spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning."}},
		"an account's restriction":  {"ServiceAccount", `{"metadata":{"name":"s","annotations":{"kubernetes.io/enforce-mountable-secrets":"true"}}}`, []string{"metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"}},
		"a node's old name":         {"Node", `{"metadata":{"name":"n"},"spec":{"externalID":"x"}}`, []string{"spec.externalID: this field is deprecated, and is unused by Kubernetes"}},
		"an address in other words": {"Service", `{"metadata":{"name":"s"},"spec":{"ports":[{"port":80}],"externalIPs":["2001:DB8::1"]}}`, []string{`spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")`, "spec.externalIPs is deprecated and may no longer be implemented in some clusters"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := kind(t, kinds.Core(newOptions()), c.kind)
			o, err := create(t, k, c.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, k.Strategy.Warnings(o, nil)); diff != "" {
				t.Errorf("the author is not told what he should be (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNamesAreCommentedOnWhenTheyAreGiven(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Pod")
	o, err := create(t, k, `{"metadata":{"name":"a.b"},"spec":{"containers":[`+container+`]}}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Strategy.Warnings(o, o.DeepCopy()); len(got) > 0 {
		t.Errorf("a name that cannot be changed any more is commented on: %v", got)
	}
}
