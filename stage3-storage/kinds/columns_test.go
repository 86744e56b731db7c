package kinds_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
	"github.com/google/go-cmp/cmp"
)

var ago = time.Now().Add(-90 * time.Minute).UTC().Format(time.RFC3339)

// tables are objects and what some columns show of them: NAME=value, with _ for a space.
var tables = map[string]struct {
	kind, in string
	want     string // NAME=value of some columns
}{
	"configmap":             {"ConfigMap", `{"data":{"a":"b"},"binaryData":{"c":"AA=="}}`, "Name=x Data=2 Age=<unknown>"},
	"secret":                {"Secret", `{"type":"Opaque","data":{"a":"eA=="}}`, "Type=Opaque Data=1"},
	"namespace":             {"Namespace", `{"metadata":{"creationTimestamp":"` + ago + `"},"status":{"phase":"Active"}}`, "Status=Active Age=90m"},
	"unknown node":          {"Node", `{}`, "Status=Unknown Roles=<none> Version= Internal-IP=<none> OS-Image=<unknown> Kernel-Version=<unknown>"},
	"node":                  {"Node", `{"metadata":{"labels":{"node-role.kubernetes.io/b":"","node-role.kubernetes.io/a":"","kubernetes.io/role":"c"}},"spec":{"unschedulable":true},"status":{"conditions":[{"type":"Ready","status":"True"}],"addresses":[{"type":"InternalIP","address":"192.0.2.1"}],"nodeInfo":{"kernelVersion":"6","architecture":"amd64"}}}`, "Status=Ready,SchedulingDisabled Roles=a,b,c Internal-IP=192.0.2.1 External-IP=<none> Kernel-Version=6_(amd64)"},
	"service":               {"Service", `{"spec":{"type":"NodePort","clusterIP":"10.0.0.1","ports":[{"port":80,"nodePort":30080,"protocol":"TCP"},{"port":53,"protocol":"UDP"}],"selector":{"b":"1","a":"2"}}}`, "Type=NodePort Cluster-IP=10.0.0.1 External-IP=<none> Port(s)=80:30080/TCP,53/UDP Selector=a=2,b=1"},
	"service elsewhere":     {"Service", `{"spec":{"type":"ExternalName","externalName":"a.example"}}`, "Cluster-IP=<none> External-IP=a.example Port(s)=<none>"},
	"new balancer":          {"Service", `{"spec":{"type":"LoadBalancer"}}`, "External-IP=<pending>"},
	"balancer":              {"Service", `{"spec":{"type":"LoadBalancer","externalIPs":["192.0.2.9"]},"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.5"},{"hostname":"b.example"}]}}}`, "External-IP=192.0.2.5,b.example,192.0.2.9"},
	"endpoints":             {"Endpoints", `{"subsets":[{"addresses":[{"ip":"192.0.2.1"},{"ip":"192.0.2.2"}],"ports":[{"port":1},{"port":2}]}]}`, "Endpoints=192.0.2.1:1,192.0.2.2:1,192.0.2.1:2_+_1_more..."},
	"no endpoints":          {"Endpoints", `{}`, "Endpoints=<none>"},
	"controller":            {"ReplicationController", `{"spec":{"replicas":3,"selector":{"a":"b"},"template":{"spec":{"containers":[{"name":"c","image":"i"},{"name":"d","image":"j"}]}}},"status":{"replicas":2,"readyReplicas":1}}`, "Desired=3 Current=2 Ready=1 Containers=c,d Images=i,j Selector=a=b"},
	"template":              {"PodTemplate", `{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}`, "Containers=c Images=i Pod_Labels=a=b"},
	"quota":                 {"ResourceQuota", `{"status":{"hard":{"pods":"2","limits.cpu":"4","cpu":"1"},"used":{"pods":"1"}}}`, "Request=cpu:_0/1,_pods:_1/2 Limit=limits.cpu:_0/4"},
	"volume":                {"PersistentVolume", `{"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOncePod","ReadOnlyMany","ReadWriteOnce"],"claimRef":{"namespace":"n","name":"c"},"volumeMode":"Block"},"status":{"phase":"Bound"}}`, "Capacity=1Gi Access_Modes=RWO,ROX,RWOP Status=Bound Claim=n/c VolumeAttributesClass=<unset> VolumeMode=Block"},
	"deleted volume":        {"PersistentVolume", `{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"},"status":{"phase":"Bound"}}`, "Status=Terminating"},
	"new claim":             {"PersistentVolumeClaim", `{"spec":{"storageClassName":"s"},"status":{"phase":"Pending","capacity":{"storage":"1Gi"}}}`, "Status=Pending Volume= Capacity= Access_Modes= StorageClass=s"},
	"bound claim":           {"PersistentVolumeClaim", `{"spec":{"volumeName":"v"},"status":{"phase":"Bound","capacity":{"storage":"1Gi"},"accessModes":["ReadWriteMany"]}}`, "Volume=v Capacity=1Gi Access_Modes=RWX"},
	"event":                 {"Event", `{"involvedObject":{"kind":"Pod","name":"p"},"source":{"component":"a","host":"h"},"message":" hi ","lastTimestamp":"` + ago + `","count":4}`, "Last_Seen=90m Object=pod/p Source=a,_h Message=hi First_Seen=<unknown> Count=4"},
	"new event":             {"Event", `{"involvedObject":{"kind":"Pod"},"reportingComponent":"a","reportingInstance":"i","eventTime":"` + ago + `"}`, "Last_Seen=90m Object=pod Source=a,_i First_Seen=90m Count=1"},
	"new pod":               {"Pod", `{"spec":{"containers":[{},{}]},"status":{"phase":"Pending"}}`, "Ready=0/2 Status=Pending Restarts=0 IP=<none> Node=<none> Readiness_Gates=<none>"},
	"running pod":           {"Pod", `{"spec":{"nodeName":"n","containers":[{}],"readinessGates":[{"conditionType":"a"},{"conditionType":"b"}]},"status":{"phase":"Running","podIPs":[{"ip":"192.0.2.1"}],"conditions":[{"type":"a","status":"True"}],"containerStatuses":[{"ready":true,"restartCount":2,"state":{"running":{}},"lastState":{"terminated":{"finishedAt":"` + ago + `"}}}]}}`, "Ready=1/1 Status=Running Restarts=2_(90m_ago) IP=192.0.2.1 Node=n Readiness_Gates=1/2"},
	"crashing pod":          {"Pod", `{"spec":{"containers":[{}]},"status":{"phase":"Running","containerStatuses":[{"restartCount":5,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}}`, "Ready=0/1 Status=CrashLoopBackOff Restarts=5"},
	"failed pod":            {"Pod", `{"spec":{"containers":[{}]},"status":{"phase":"Failed","containerStatuses":[{"state":{"terminated":{"exitCode":3}}}]}}`, "Status=ExitCode:3"},
	"killed pod":            {"Pod", `{"spec":{"containers":[{}]},"status":{"phase":"Failed","containerStatuses":[{"state":{"terminated":{"exitCode":137,"signal":9}}}]}}`, "Status=Signal:9"},
	"half completed pod":    {"Pod", `{"spec":{"containers":[{},{}]},"status":{"phase":"Running","containerStatuses":[{"state":{"terminated":{"reason":"Completed"}}},{"ready":true,"state":{"running":{}}}]}}`, "Ready=1/2 Status=NotReady"},
	"initialising pod":      {"Pod", `{"spec":{"initContainers":[{},{}],"containers":[{}]},"status":{"phase":"Pending","initContainerStatuses":[{"state":{"terminated":{"exitCode":0}}},{"state":{"running":{}}}]}}`, "Ready=0/1 Status=Init:1/2"},
	"pod that cannot start": {"Pod", `{"spec":{"initContainers":[{}],"containers":[{}]},"status":{"phase":"Pending","initContainerStatuses":[{"restartCount":4,"state":{"terminated":{"exitCode":1,"reason":"Error"}}}]}}`, "Status=Init:Error Restarts=4"},
	"pod with a sidecar":    {"Pod", `{"spec":{"initContainers":[{"name":"s","restartPolicy":"Always"}],"containers":[{}]},"status":{"phase":"Running","initContainerStatuses":[{"name":"s","started":true,"ready":true,"restartCount":1,"state":{"running":{}}}],"containerStatuses":[{"ready":true,"state":{"running":{}}}]}}`, "Ready=2/2 Status=Running Restarts=1"},
	"pod at a gate":         {"Pod", `{"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"SchedulingGated"}]}}`, "Status=SchedulingGated"},
	"deleted pod":           {"Pod", `{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"},"status":{"phase":"Running"}}`, "Status=Terminating"},
	"deleted, done pod":     {"Pod", `{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"},"status":{"phase":"Succeeded"}}`, "Status=Succeeded"},
}

func TestTablesShowWhatPeopleLookFor(t *testing.T) {
	list := kinds.Core(newOptions())
	for name, c := range tables {
		t.Run(name, func(t *testing.T) {
			k := kind(t, list, c.kind)
			o := parse(t, k, c.in)
			cells := map[string]string{}
			for _, column := range k.Columns {
				cells[column.Name] = fmt.Sprint(column.Cell(o))
			}
			for want := range strings.FieldsSeq(c.want) {
				column, value, _ := strings.Cut(strings.ReplaceAll(want, "_", " "), "=")
				if diff := cmp.Diff(value, cells[column]); diff != "" {
					t.Errorf("the column %q is not what it should be (-want +got):\n%s", column, diff)
				}
			}
		})
	}
}

func TestLinesOfPodsThatHaveEndedSaySo(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Pod")
	for phase, want := range map[string][]printers.Condition{
		"Running":   nil,
		"Succeeded": {{Type: "Completed", Status: "True", Reason: "Succeeded", Message: "The pod has completed successfully."}},
		"Failed":    {{Type: "Completed", Status: "True", Reason: "Failed", Message: "The pod failed."}},
	} {
		if diff := cmp.Diff(want, k.Conditions(parse(t, k, `{"status":{"phase":"`+phase+`"}}`))); diff != "" {
			t.Errorf("the line of a pod that is %s (-want +got):\n%s", phase, diff)
		}
	}
}

func TestAuthorsAreWarned(t *testing.T) {
	list := kinds.Core(newOptions())
	for name, c := range map[string]struct {
		kind, in string
		want     []string
	}{
		"endpoints":           {"Endpoints", `{}`, []string{"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"}},
		"a pod without fault": {"Pod", `{"spec":{"containers":[{"name":"a","ports":[{"containerPort":1}]}]}}`, nil},
		"an old volume":       {"Pod", `{"spec":{"volumes":[{"gitRepo":{}}]}}`, []string{"spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+"}},
		"half a byte":         {"Pod", `{"spec":{"containers":[{"resources":{"limits":{"memory":"500m"}}}]}}`, []string{`spec.containers[0].resources.limits[memory]: fractional byte value "500m" is invalid, must be an integer`}},
		"a hidden variable":   {"Pod", `{"spec":{"containers":[{"env":[{"name":"A","value":"1"},{"name":"A","value":"2"},{"name":"A","value":"x$(A)"}]}]}}`, []string{`spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply`}},
		"ports twice":         {"Pod", `{"spec":{"containers":[{"ports":[{"containerPort":1,"name":"a"}]},{"ports":[{"containerPort":1,"name":"a"}]}]}}`, []string{"spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]", `spec.containers[1].ports[0]: duplicate port name "a" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]`}},
		"pull secrets":        {"Pod", `{"spec":{"imagePullSecrets":[{"name":"a"},{"name":"a"},{}]}}`, []string{`spec.imagePullSecrets[1].name: duplicate name "a"`, `spec.imagePullSecrets[2].name: invalid empty name ""`}},
		"a template":          {"ReplicationController", `{"spec":{"template":{"spec":{"volumes":[{"rbd":{}}]}}}}`, []string{"spec.template.spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+"}},
		"a service":           {"Service", `{"spec":{"type":"ClusterIP","clusterIP":"None","sessionAffinity":"ClientIP","externalName":"x"}}`, []string{"spec.SessionAffinity is ignored for headless services", `spec.externalName is ignored when spec.type is not "ExternalName"`}},
	} {
		t.Run(name, func(t *testing.T) {
			k := kind(t, list, c.kind)
			if diff := cmp.Diff(c.want, k.Strategy.Warnings(parse(t, k, c.in), nil)); diff != "" {
				t.Errorf("the warnings are not what they should be (-want +got):\n%s", diff)
			}
		})
	}
}
