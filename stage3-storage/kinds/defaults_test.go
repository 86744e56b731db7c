package kinds_test

import (
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"github.com/google/go-cmp/cmp"
)

// part is what of an object a test looks at.
func part(o *object.Object, path ...string) any {
	var v any = fields(o)
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// defaulted is what every container gets.
const defaulted = `"imagePullPolicy":"IfNotPresent","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"`

// leftOut are objects as authors write them, and a part of what becomes of them.
var leftOut = map[string]struct {
	kind, in string
	path     []string
	want     string
}{
	"a pod": {"Pod", `{"spec":{"containers":[]}}`, []string{"spec"},
		`{"containers":[],"restartPolicy":"Always","dnsPolicy":"ClusterFirst","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30,"enableServiceLinks":true}`},
	"a container": {"PodTemplate", `{"template":{"spec":{"containers":[{"image":"a","ports":[{"containerPort":80}],"livenessProbe":{"httpGet":{}},"readinessProbe":{"periodSeconds":5,"grpc":{}},"lifecycle":{"preStop":{"httpGet":{}}},"env":[{"valueFrom":{"fieldRef":{}}}]}]}}}`, []string{"template", "spec", "containers"},
		`[{"image":"a","imagePullPolicy":"Always","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","ports":[{"containerPort":80,"protocol":"TCP"}],
		"livenessProbe":{"httpGet":{"path":"/","scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3},
		"readinessProbe":{"grpc":{"service":""},"timeoutSeconds":1,"periodSeconds":5,"successThreshold":1,"failureThreshold":3},
		"lifecycle":{"preStop":{"httpGet":{"path":"/","scheme":"HTTP"}}},"env":[{"valueFrom":{"fieldRef":{"apiVersion":"v1"}}}]}]`},
	"volumes": {"PodTemplate", `{"template":{"spec":{"volumes":[{"name":"a"},{"secret":{}},{"hostPath":{}},{"projected":{"sources":[{"serviceAccountToken":{}}]}},{"configMap":{"defaultMode":0}}]}}}`, []string{"template", "spec", "volumes"},
		`[{"name":"a","emptyDir":{}},{"secret":{"defaultMode":420}},{"hostPath":{"type":""}},{"projected":{"defaultMode":420,"sources":[{"serviceAccountToken":{"expirationSeconds":3600}}]}},{"configMap":{"defaultMode":0}}]`},
	"requests of limits": {"Pod", `{"spec":{"containers":[{"resources":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"500m"}}}]}}`, []string{"spec", "containers"},
		`[{"imagePullPolicy":"IfNotPresent","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","resources":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"500m","memory":"1Gi"}}}]`},
	"ports on the host's network": {"Pod", `{"spec":{"hostNetwork":true,"containers":[{"ports":[{"containerPort":80}]}]}}`, []string{"spec", "containers"},
		`[{"imagePullPolicy":"IfNotPresent","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","ports":[{"containerPort":80,"hostPort":80,"protocol":"TCP"}]}]`},
	"a controller": {"ReplicationController", `{"spec":{"template":{"metadata":{"labels":{"a":"b"}}}}}`, []string{"spec"},
		`{"replicas":1,"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}}}}`},
	"a controller of none":      {"ReplicationController", `{"spec":{"replicas":0}}`, []string{"spec"}, `{"replicas":0}`},
	"a secret":                  {"Secret", `{"stringData":{"a":"b"},"data":{"a":"eA==","c":"eQ=="}}`, nil, `{"type":"Opaque","data":{"a":"Yg==","c":"eQ=="}}`},
	"a secret of nothing":       {"Secret", `{"stringData":{}}`, nil, `{"type":"Opaque"}`},
	"endpoints":                 {"Endpoints", `{"subsets":[{"ports":[{"port":1},{"port":2,"protocol":"UDP"}]}]}`, nil, `{"subsets":[{"ports":[{"port":1,"protocol":"TCP"},{"port":2,"protocol":"UDP"}]}]}`},
	"a node with one network":   {"Node", `{"spec":{"podCIDR":"192.0.2.0/24"}}`, []string{"spec"}, `{"podCIDR":"192.0.2.0/24","podCIDRs":["192.0.2.0/24"]}`},
	"a node with a list":        {"Node", `{"spec":{"podCIDRs":["192.0.2.0/24"]}}`, []string{"spec"}, `{"podCIDR":"192.0.2.0/24","podCIDRs":["192.0.2.0/24"]}`},
	"a node's allocatable":      {"Node", `{"status":{"capacity":{"cpu":"2"}}}`, []string{"status"}, `{"capacity":{"cpu":"2"},"allocatable":{"cpu":"2"}}`},
	"limits of a container":     {"LimitRange", `{"spec":{"limits":[{"type":"Container","max":{"cpu":"2"},"min":{"cpu":"1","memory":"1"}}]}}`, []string{"spec", "limits"}, `[{"type":"Container","max":{"cpu":"2"},"min":{"cpu":"1","memory":"1"},"default":{"cpu":"2"},"defaultRequest":{"cpu":"2","memory":"1"}}]`},
	"limits of a pod":           {"LimitRange", `{"spec":{"limits":[{"type":"Pod","max":{"cpu":"2"}}]}}`, []string{"spec", "limits"}, `[{"type":"Pod","max":{"cpu":"2"}}]`},
	"a volume":                  {"PersistentVolume", `{"spec":{}}`, []string{"spec"}, `{"persistentVolumeReclaimPolicy":"Retain","volumeMode":"Filesystem"}`},
	"a claim":                   {"PersistentVolumeClaim", `{"spec":{}}`, nil, `{"spec":{"volumeMode":"Filesystem"},"status":{"phase":"Pending"}}`},
	"a claim of another claim":  {"PersistentVolumeClaim", `{"spec":{"dataSource":{"kind":"PersistentVolumeClaim","name":"a"}}}`, []string{"spec", "dataSourceRef"}, `{"kind":"PersistentVolumeClaim","name":"a"}`},
	"a claim of anything":       {"PersistentVolumeClaim", `{"spec":{"dataSource":{"kind":"ConfigMap","name":"a"}}}`, []string{"spec"}, `{"volumeMode":"Filesystem"}`},
	"a claim of what is new":    {"PersistentVolumeClaim", `{"spec":{"dataSourceRef":{"apiGroup":"x.io","kind":"Y","name":"a"}}}`, []string{"spec", "dataSource"}, `{"apiGroup":"x.io","kind":"Y","name":"a"}`},
	"a claim across namespaces": {"PersistentVolumeClaim", `{"spec":{"dataSourceRef":{"kind":"PersistentVolumeClaim","name":"a","namespace":"b"}}}`, []string{"spec"}, `{"volumeMode":"Filesystem"}`},
	"a node's config":           {"Node", `{"spec":{"configSource":{},"unschedulable":true},"status":{"config":{},"phase":"Running"}}`, nil, `{"spec":{"unschedulable":true},"status":{"phase":"Running"}}`},
	"old profiles": {"Pod", `{"metadata":{"annotations":{"container.apparmor.security.beta.kubernetes.io/a":"localhost/x","container.apparmor.security.beta.kubernetes.io/b":"unconfined","container.apparmor.security.beta.kubernetes.io/c":"x","container.apparmor.security.beta.kubernetes.io/d":"runtime/default"}},"spec":{"securityContext":{"appArmorProfile":{"type":"RuntimeDefault"}},"containers":[{"name":"a"},{"name":"b","securityContext":{"appArmorProfile":{"type":"RuntimeDefault"}}},{"name":"c"},{"name":"d"}]}}`, []string{"spec", "containers"},
		`[{"name":"a","securityContext":{"appArmorProfile":{"type":"Localhost","localhostProfile":"x"}},` + defaulted + `},{"name":"b","securityContext":{"appArmorProfile":{"type":"RuntimeDefault"}},` + defaulted + `},{"name":"c",` + defaulted + `},{"name":"d",` + defaulted + `}]`},
	"what is switched off": {"PodTemplate", `{"template":{"spec":{"schedulingGroup":{"podGroupName":"g"},"evictionResponders":[{"name":"a.b/c","priority":1}],"volumes":[{"emptyDir":{"mode":448}},{"projected":{"defaultUser":1,"sources":[{"secret":{"items":[{"key":"a","user":1}]}}]}}],"containers":[{"image":"a:1","volumeMounts":[{"name":"v","bindMountOptions":["noexec"]}],"startupProbe":{"httpGet":{"path":"/a","scheme":"HTTP","protocol":"HTTP2"},"timeoutSeconds":1,"periodSeconds":1,"successThreshold":1,"failureThreshold":1}}]}}}`, []string{"template", "spec"},
		`{"volumes":[{"emptyDir":{}},{"projected":{"defaultMode":420,"sources":[{"secret":{"items":[{"key":"a"}]}}]}}],
		"containers":[{"image":"a:1","imagePullPolicy":"IfNotPresent","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","volumeMounts":[{"name":"v"}],"startupProbe":{"httpGet":{"path":"/a","scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":1,"successThreshold":1,"failureThreshold":1}}],
		"restartPolicy":"Always","dnsPolicy":"ClusterFirst","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}`},
	"labels of the pod itself": {"Pod", `{"metadata":{"labels":{"a":"x","b":"y"}},"spec":{"topologySpreadConstraints":[{"matchLabelKeys":["a","c"],"labelSelector":{}}],"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"matchLabelKeys":["a"],"mismatchLabelKeys":["b"],"labelSelector":{"matchLabels":{"c":"d"}}},{"matchLabelKeys":["a"]}]}}}}`, []string{"spec"},
		`{"topologySpreadConstraints":[{"matchLabelKeys":["a","c"],"labelSelector":{"matchExpressions":[{"key":"a","operator":"In","values":["x"]}]}}],
		"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"matchLabelKeys":["a"],"mismatchLabelKeys":["b"],"labelSelector":{"matchLabels":{"c":"d"},"matchExpressions":[{"key":"a","operator":"In","values":["x"]},{"key":"b","operator":"NotIn","values":["y"]}]}},{"matchLabelKeys":["a"]}]}},
		"restartPolicy":"Always","dnsPolicy":"ClusterFirst","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30,"enableServiceLinks":true}`},
	"a quota":                   {"ResourceQuota", `{"status":{"used":{"pods":"1"}}}`, nil, `{"status":{}}`},
	"a pod's own status":        {"Pod", `{"spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}]},"status":{"phase":"Running"}}`, []string{"status"}, `{"phase":"Pending","qosClass":"Burstable"}`},
	"a pod with guarantees":     {"Pod", `{"spec":{"containers":[{"resources":{"limits":{"cpu":"1","memory":"1"}}}]}}`, []string{"status"}, `{"phase":"Pending","qosClass":"Guaranteed"}`},
	"a pod with one of each":    {"Pod", `{"spec":{"containers":[{"resources":{"limits":{"cpu":"1","memory":"1"}}},{}]}}`, []string{"status"}, `{"phase":"Pending","qosClass":"Burstable"}`},
	"a pod that waits at gates": {"Pod", `{"spec":{"schedulingGates":[{"name":"a"}]}}`, []string{"status"}, `{"phase":"Pending","qosClass":"BestEffort","conditions":[{"type":"PodScheduled","status":"False","lastProbeTime":null,"lastTransitionTime":null,"reason":"SchedulingGated","message":"Scheduling is blocked due to non-empty scheduling gates"}]}`},
}

func TestWhatAnAuthorLeavesOutIsFilledIn(t *testing.T) {
	list := kinds.Core(newOptions())
	for name, c := range leftOut {
		t.Run(name, func(t *testing.T) {
			o, err := create(t, kind(t, list, c.kind), c.in)
			if err != nil {
				t.Fatalf("the object is refused: %v", err)
			}
			want := tree(t, `{"v":`+c.want+`}`)["v"]
			if diff := cmp.Diff(want, part(o, c.path...)); diff != "" {
				t.Errorf("the object is not filled in as it should be (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsPulledDependsOnTheTag(t *testing.T) {
	sum := "@sha256:" + strings.Repeat("0123456789abcdef", 4)
	for image, want := range map[string]string{
		"Web": "IfNotPresent", "Registry/web": "Always", "localhost/web": "Always", "a/b/web": "Always", "web:": "IfNotPresent", "a b": "IfNotPresent", sum[8:]: "IfNotPresent",
		"web": "Always", "web:latest": "Always", "web:1": "IfNotPresent", "registry.example:5000/web": "Always",
		"registry.example:5000/a/web:1": "IfNotPresent", "web" + sum: "IfNotPresent", "web:latest" + sum: "Always", "web@sha256:0123": "IfNotPresent", "web:latest@sha256:0123": "IfNotPresent", "": "IfNotPresent",
	} {
		spec := map[string]any{"containers": []any{map[string]any{"image": image}}}
		kinds.DefaultPodSpec(spec)
		for _, c := range rules.Items(spec, "containers") {
			if c["imagePullPolicy"] != want {
				t.Errorf("the image %q is pulled %v, want %s", image, c["imagePullPolicy"], want)
			}
		}
	}
}

func TestDefaultsOfDefaultsAreTheSame(t *testing.T) {
	list := kinds.Core(newOptions())
	for name, in := range examples {
		k := kind(t, list, name)
		if k.Strategy.Default == nil {
			continue
		}
		once := parse(t, k, in)
		k.Strategy.Default(once)
		twice := once.DeepCopy()
		k.Strategy.Default(twice)
		if diff := cmp.Diff(fields(once), fields(twice)); diff != "" {
			t.Errorf("a stored %s would change at its next write (-once +twice):\n%s", name, diff)
		}
	}
}

// examples are right objects of all kinds.
var examples = map[string]string{
	"ConfigMap":      `{"data":{"a":"b"},"binaryData":{"c":"AAEC"}}`,
	"Secret":         `{"stringData":{"a":"b"}}`,
	"ServiceAccount": `{"secrets":[{"name":"x"}]}`,
	"Namespace":      `{}`,
	"Node":           `{"spec":{"podCIDR":"192.0.2.0/24","taints":[{"key":"a","effect":"NoSchedule"}]}}`,
	"Event":          `{"involvedObject":{"kind":"Pod","namespace":"default","name":"web"}}`,
	"Endpoints":      `{"subsets":[{"addresses":[{"ip":"192.0.2.3"}],"ports":[{"port":80}]}]}`,
	"LimitRange":     `{"spec":{"limits":[{"type":"Container","max":{"cpu":"2"},"min":{"cpu":"100m"}}]}}`,
	"ResourceQuota":  `{"spec":{"hard":{"pods":"2","requests.cpu":"1","example.com/gpu":"1"},"scopes":["NotTerminating"]}}`,
	"Service":        `{"spec":{"type":"LoadBalancer","selector":{"a":"b"},"ports":[{"name":"a","port":80},{"name":"b","port":53,"protocol":"UDP","targetPort":"dns"}]}}`,
	"Pod": `{"spec":{"serviceAccountName":"robot","nodeSelector":{"disk":"fast"},"volumes":[{"name":"conf","configMap":{"name":"c"}},{"name":"tmp"}],
		"initContainers":[{"name":"i","image":"a"}],
		"containers":[{"name":"c","image":"a:1","ports":[{"containerPort":80,"name":"http"}],"livenessProbe":{"httpGet":{"port":"http"}},
		"env":[{"name":"A","value":"x"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"metadata.labels['a']"}}},{"name":"C","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu","divisor":"1m"}}}],
		"envFrom":[{"configMapRef":{"name":"c"}}],"volumeMounts":[{"name":"conf","mountPath":"/c"}],"resources":{"limits":{"cpu":"1"}}}],
		"tolerations":[{"key":"a","operator":"Exists"}],"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"Exists"}]}]}}}}}`,
	"PodTemplate":           `{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"a"}]}}}`,
	"ReplicationController": `{"spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"a"}]}}}}`,
	"PersistentVolume":      `{"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"}}}`,
	"PersistentVolumeClaim": `{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"dataSource":{"kind":"PersistentVolumeClaim","name":"a"}}}`,
}

func TestRightObjectsOfAllKindsPass(t *testing.T) {
	list := kinds.Core(newOptions())
	for _, k := range list {
		in, ok := examples[k.Resource.Kind]
		if !ok {
			t.Errorf("the tests have no example of a %s", k.Resource.Kind)
			continue
		}
		o, err := create(t, k, in)
		if err != nil {
			t.Errorf("a right %s is refused: %v", k.Resource.Kind, err)
			continue
		}
		if errs := check(k, o, nil); len(errs) > 0 {
			t.Errorf("a right %s is refused: %v", k.Resource.Kind, errs)
		}
		again := o.DeepCopy()
		if err := prepare(k, again, o); err != nil {
			t.Errorf("an update of a %s that changes nothing is refused: %v", k.Resource.Kind, err)
		}
		if errs := check(k, again, o); len(errs) > 0 {
			t.Errorf("an update of a %s that changes nothing is refused: %v", k.Resource.Kind, errs)
		}
		if diff := cmp.Diff(fields(o), fields(again)); diff != "" {
			t.Errorf("an update of a %s that changes nothing has changed something (-before +after):\n%s", k.Resource.Kind, diff)
		}
	}
}
