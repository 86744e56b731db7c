package kinds_test

import (
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"github.com/google/go-cmp/cmp"
)

// wrong are objects that are refused, and for what: "path reason".
type wrong map[string]struct {
	in   string
	want []string
}

func (w wrong) run(t *testing.T, name string) {
	t.Helper()
	for title, c := range w {
		t.Run(title, func(t *testing.T) {
			k := kind(t, kinds.Core(newOptions()), name)
			o, err := create(t, k, c.in)
			if err != nil {
				t.Fatalf("the object is refused before it is validated: %v", err)
			}
			if diff := cmp.Diff(c.want, complaints(check(k, o, nil))); diff != "" {
				t.Errorf("the complaints are not what they should be (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWrongConfigMapsAreRefused(t *testing.T) {
	big := strings.Repeat("x", 1<<20+1)
	wrong{
		"keys":     {`{"data":{"bad key":"x","..":"y"}}`, []string{"data[..] Invalid", "data[bad key] Invalid"}},
		"overlap":  {`{"data":{"a":"b"},"binaryData":{"a":"AA=="}}`, []string{"data[a] Invalid"}},
		"too much": {`{"data":{"a":"` + big + `"}}`, []string{"[] TooLong"}},
	}.run(t, "ConfigMap")
}

func TestWrongSecretsAreRefused(t *testing.T) {
	wrong{
		"keys":                  {`{"data":{"a b":"eA=="}}`, []string{"data[a b] Invalid"}},
		"of type tls":           {`{"type":"kubernetes.io/tls"}`, []string{"data[tls.crt] Required", "data[tls.key] Required"}},
		"of type basic auth":    {`{"type":"kubernetes.io/basic-auth"}`, []string{"data[username] Required", "data[password] Required"}},
		"of type ssh":           {`{"type":"kubernetes.io/ssh-auth"}`, []string{"data[ssh-privatekey] Required"}},
		"of type token":         {`{"type":"kubernetes.io/service-account-token"}`, []string{"metadata.annotations[kubernetes.io/service-account.name] Required"}},
		"without configuration": {`{"type":"kubernetes.io/dockerconfigjson"}`, []string{"data[.dockerconfigjson] Required"}},
		"with no JSON":          {`{"type":"kubernetes.io/dockerconfigjson","stringData":{".dockerconfigjson":"{"}}`, []string{"data[.dockerconfigjson] Invalid"}},
	}.run(t, "Secret")
}

func TestWhatIsNotShownOfASecret(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Secret")
	o, err := create(t, k, `{"type":"kubernetes.io/dockercfg","stringData":{".dockercfg":"my password"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if text := check(k, o, nil).Error(); strings.Contains(text, "password") || !strings.Contains(text, "redacted") {
		t.Errorf("the error shows what is in the secret: %s", text)
	}
}

const container = `{"name":"c","image":"a:1"}`

func TestWrongPodsAreRefused(t *testing.T) {
	pod := func(spec string) string { return `{"spec":{"containers":[` + container + `],` + spec + `}}` }
	ctr := func(c string) string { return `{"spec":{"containers":[{"name":"c","image":"a:1",` + c + `}]}}` }
	wrong{
		"without containers":   {`{"spec":{"containers":[]}}`, []string{"spec.containers Required"}},
		"nameless containers":  {`{"spec":{"containers":[{"name":"","image":""}],"restartPolicy":"X"}}`, []string{"spec.containers[0].name Required", "spec.containers[0].image Required", "spec.restartPolicy NotSupported"}},
		"a name twice":         {`{"spec":{"containers":[` + container + `,` + container + `],"initContainers":[` + container + `]}}`, []string{"spec.containers[1].name Duplicate", "spec.initContainers[0].name Duplicate"}},
		"spaces in an image":   {`{"spec":{"containers":[{"name":"c","image":" a"}]}}`, []string{"spec.containers[0].image Invalid"}},
		"ports":                {ctr(`"ports":[{"containerPort":0},{"containerPort":70000,"protocol":"ICMP","name":"UP"},{"containerPort":1,"name":"x"},{"containerPort":2,"name":"x","hostPort":-1}]`), []string{"spec.containers[0].ports[0].containerPort Required", "spec.containers[0].ports[1].name Invalid", "spec.containers[0].ports[1].name Invalid", "spec.containers[0].ports[1].containerPort Invalid", "spec.containers[0].ports[1].protocol NotSupported", "spec.containers[0].ports[3].name Duplicate", "spec.containers[0].ports[3].hostPort Invalid"}},
		"variables":            {ctr(`"env":[{"name":"1=B"},{"name":"A","value":"x","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}},{"valueFrom":{}},{"name":"C","valueFrom":{"fieldRef":{"fieldPath":"spec.nothing"}}},{"name":"D","valueFrom":{"fieldRef":{"fieldPath":"status.phase"}}}]`), []string{"spec.containers[0].env[0].name Invalid", "spec.containers[0].env[1].valueFrom Invalid", "spec.containers[0].env[2].name Required", "spec.containers[0].env[2].valueFrom Invalid", "spec.containers[0].env[3].valueFrom.fieldRef.fieldPath Invalid", "spec.containers[0].env[4].valueFrom.fieldRef.fieldPath NotSupported"}},
		"variables of objects": {ctr(`"envFrom":[{},{"configMapRef":{},"secretRef":{"name":"a"}}]`), []string{"spec.containers[0].envFrom Invalid", "spec.containers[0].envFrom[1].configMapRef.name Required", "spec.containers[0].envFrom Invalid"}},
		"variables of amounts": {ctr(`"env":[{"name":"A","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu","divisor":"2"}}},{"name":"B","valueFrom":{"resourceFieldRef":{"resource":"limits.luck"}}}]`), []string{"spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor Invalid", "spec.containers[0].env[1].valueFrom.resourceFieldRef.resource NotSupported"}},
		"probes":               {ctr(`"livenessProbe":{},"readinessProbe":{"exec":{},"tcpSocket":{"port":1},"terminationGracePeriodSeconds":1},"startupProbe":{"httpGet":{"port":0,"scheme":"FTP"},"successThreshold":2,"periodSeconds":-1}`), []string{"spec.containers[0].livenessProbe Required", "spec.containers[0].readinessProbe.exec.command Required", "spec.containers[0].readinessProbe.tcpSocket Forbidden", "spec.containers[0].readinessProbe.terminationGracePeriodSeconds Invalid", "spec.containers[0].startupProbe.httpGet.port Invalid", "spec.containers[0].startupProbe.httpGet.scheme NotSupported", "spec.containers[0].startupProbe.periodSeconds Invalid", "spec.containers[0].startupProbe.successThreshold Invalid"}},
		"how it ends":          {ctr(`"lifecycle":{"preStop":{"sleep":{"seconds":31}}}`), []string{"spec.containers[0].lifecycle.preStop.sleep Invalid"}},
		"policies":             {ctr(`"imagePullPolicy":"Often","terminationMessagePolicy":"Nowhere"`), []string{"spec.containers[0].terminationMessagePolicy NotSupported", "spec.containers[0].imagePullPolicy NotSupported"}},
		"more than the limit":  {ctr(`"resources":{"requests":{"cpu":"2"},"limits":{"cpu":"1"}}`), []string{"spec.containers[0].resources.requests Invalid"}},
		"less than nothing":    {ctr(`"resources":{"requests":{"cpu":"-1"}}`), []string{"spec.containers[0].resources.requests[cpu] Invalid"}},
		"unknown resources":    {ctr(`"resources":{"requests":{"widgets":"1"}}`), []string{"spec.containers[0].resources.requests[widgets] Invalid", "spec.containers[0].resources.requests[widgets] Invalid"}},
		"half a device":        {ctr(`"resources":{"limits":{"example.com/gpu":"500m"}}`), []string{"spec.containers[0].resources.limits[example.com/gpu] Invalid", "spec.containers[0].resources.requests[example.com/gpu] Invalid"}},
		"shared devices":       {ctr(`"resources":{"requests":{"example.com/gpu":"1"},"limits":{"example.com/gpu":"2"}}`), []string{"spec.containers[0].resources.requests Invalid"}},
		"huge pages alone":     {ctr(`"resources":{"limits":{"hugepages-2Mi":"3Mi"}}`), []string{"spec.containers[0].resources.limits[hugepages-2Mi] Invalid", "spec.containers[0].resources.requests[hugepages-2Mi] Invalid", "spec.containers[0].resources Forbidden"}},
		"privileges":           {ctr(`"securityContext":{"privileged":true,"allowPrivilegeEscalation":false,"runAsUser":-1,"seccompProfile":{"type":"Localhost"}}`), []string{"spec.containers[0].securityContext.privileged Forbidden", "spec.containers[0].securityContext.runAsUser Invalid", "spec.containers[0].securityContext.seccompProfile.localhostProfile Required", "spec.containers[0].securityContext Invalid"}},
		"unknown mounts":       {ctr(`"volumeMounts":[{"name":"nope","mountPath":"/x"},{"name":"nope","mountPath":"/x"}]`), []string{"spec.containers[0].volumeMounts[0].name NotFound", "spec.containers[0].volumeMounts[1].name NotFound", "spec.containers[0].volumeMounts[1].mountPath Invalid"}},
		"volumes":              {pod(`"volumes":[{"name":"a","emptyDir":{}},{"name":"a","emptyDir":{}},{"name":"b","emptyDir":{},"hostPath":{"path":"/x"}},{"name":"B_","configMap":{}},{"name":"c","secret":{"secretName":"s","defaultMode":512,"items":[{"path":"../x"}]}},{"name":"d","nfs":{"path":"x"}}]`), []string{"spec.volumes[1].name Duplicate", "spec.volumes[2].hostPath Forbidden", "spec.volumes[3].configMap.name Required", "spec.volumes[3].name Invalid", "spec.volumes[4].secret.defaultMode Invalid", "spec.volumes[4].secret.items[0].key Required", "spec.volumes[4].secret.items[0].path Invalid", "spec.volumes[5].nfs.server Required", "spec.volumes[5].nfs.path Invalid"}},
		"projected volumes":    {pod(`"volumes":[{"name":"a","projected":{"sources":[{},{"serviceAccountToken":{"expirationSeconds":5}},{"downwardAPI":{"items":[{"path":"a"}]}}]}}]`), []string{"spec.volumes[0].projected.sources[1].serviceAccountToken.expirationSeconds Invalid", "spec.volumes[0].projected.path Required", "spec.volumes[0].projected.sources[2].downwardAPI Required", "spec.volumes[0].projected.sources[1].serviceAccountToken Forbidden"}},
		"claims of its own":    {pod(`"volumes":[{"name":"a","ephemeral":{"volumeClaimTemplate":{"spec":{}}}}]`), []string{"spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes Required", "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage] Required"}},
		"names":                {pod(`"hostname":"Not_A","subdomain":"a.b","nodeName":"a b","serviceAccountName":"A","priorityClassName":"B","nodeSelector":{"a b":"c"}`), []string{"spec.nodeSelector Invalid", "spec.serviceAccountName Invalid", "spec.nodeName Invalid", "spec.hostname Invalid", "spec.subdomain Invalid", "spec.priorityClassName Invalid"}},
		"times":                {pod(`"activeDeadlineSeconds":0`), []string{"spec.activeDeadlineSeconds Invalid"}},
		"tolerations":          {pod(`"tolerations":[{"operator":"Equal"},{"key":"a","operator":"Exists","value":"b"},{"key":"a","operator":"Is"},{"key":"a","effect":"Never"},{"key":"a","tolerationSeconds":1}]`), []string{"spec.tolerations[0].operator Invalid", "spec.tolerations[1].operator Invalid", "spec.tolerations[2].operator NotSupported", "spec.tolerations[3].effect NotSupported", "spec.tolerations[4].effect Invalid"}},
		"affinity":             {pod(`"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[]}},"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":0,"podAffinityTerm":{}}]}}`), []string{"spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms Required", "spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight Invalid", "spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey Required", "spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey Invalid", "spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey Invalid"}},
		"spreading":            {pod(`"topologySpreadConstraints":[{"maxSkew":0,"whenUnsatisfiable":"Cry"}]`), []string{"spec.topologySpreadConstraints[0].maxSkew Invalid", "spec.topologySpreadConstraints[0].topologyKey Required", "spec.topologySpreadConstraints[0].whenUnsatisfiable NotSupported"}},
		"names of its own":     {pod(`"dnsPolicy":"None","hostAliases":[{"ip":"x","hostnames":["A"]}]`), []string{"spec.dnsConfig Required", "spec.hostAliases[0].ip Invalid", "spec.hostAliases[0].hostnames[0] Invalid"}},
		"its security":         {pod(`"securityContext":{"fsGroup":-1,"sysctls":[{"name":"A"},{"name":"a.b"},{"name":"a.b"}],"fsGroupChangePolicy":"No"}`), []string{"spec.securityContext.fsGroup Invalid", "spec.securityContext.sysctls[0].name Invalid", "spec.securityContext.sysctls[2].name Duplicate", "spec.securityContext.fsGroupChangePolicy NotSupported"}},
		"init containers":      {pod(`"initContainers":[{"name":"i","image":"a","livenessProbe":{"exec":{"command":["x"]}}}]`), []string{"spec.initContainers[0].livenessProbe Forbidden"}},
		"debuggers at once":    {pod(`"ephemeralContainers":[{"name":"d","image":"a","targetContainerName":"x","ports":[{"containerPort":1}]}]`), []string{"spec.ephemeralContainers[0].targetContainerName NotFound", "spec.ephemeralContainers[0].ports Forbidden", "spec.ephemeralContainers Forbidden"}},
		"ports of the host":    {`{"spec":{"hostNetwork":true,"containers":[{"name":"a","image":"a","ports":[{"containerPort":1,"hostPort":2}]},{"name":"b","image":"b","ports":[{"containerPort":2}]}]}}`, []string{"spec.containers[1].ports[0].hostPort Duplicate", "spec.containers[0].ports[0].hostPort Invalid"}},
	}.run(t, "Pod")
}

func TestWrongControllersAreRefused(t *testing.T) {
	wrong{
		"whose labels do not match": {`{"spec":{"selector":{"a":"a"},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[` + container + `]}}}}`, []string{"spec.template.metadata.labels Invalid"}},
		"of fewer than none":        {`{"spec":{"replicas":-1,"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[` + container + `]}}}}`, []string{"spec.replicas Invalid"}},
		"without a template":        {`{"spec":{"selector":{"a":"a"}}}`, []string{"spec.template Required"}},
		"whose pods end":            {`{"spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"restartPolicy":"Never","activeDeadlineSeconds":5,"containers":[` + container + `]}}}}`, []string{"spec.template.spec.restartPolicy NotSupported", "spec.template.spec.activeDeadlineSeconds Forbidden"}},
		"of nothing":                {`{}`, []string{"spec.selector Required", "spec.template Required"}},
	}.run(t, "ReplicationController")
}

func TestWrongNodesAreRefused(t *testing.T) {
	wrong{
		"taints":          {`{"spec":{"taints":[{"key":"a","effect":"Never"},{"key":"b","value":"!","effect":"NoSchedule"},{"key":"c"}]}}`, []string{"metadata.taints[0].effect NotSupported", "metadata.taints[1].value Invalid", "metadata.taints[2].effect Required"}},
		"a taint twice":   {`{"spec":{"taints":[{"key":"a","effect":"NoSchedule"},{"key":"a","effect":"NoSchedule","value":"b"}]}}`, []string{"metadata.taints[1] Duplicate"}},
		"networks":        {`{"spec":{"podCIDR":"300.0.0.0/24"}}`, []string{"spec.podCIDRs[0] Invalid"}},
		"several of them": {`{"spec":{"podCIDRs":["10.0.0.0/24","10.1.0.0/24"]}}`, []string{"spec.podCIDRs Invalid"}},
		"amounts":         {`{"status":{"capacity":{"cpu":"-1"}}}`, []string{"status.capacity.cpu Invalid", "status.allocatable.cpu Invalid"}},
	}.run(t, "Node")
}

func TestWrongStorageIsRefused(t *testing.T) {
	wrong{
		"nothing":      {`{"spec":{}}`, []string{"spec.accessModes Required", "spec.capacity Required", "spec.capacity NotSupported", "spec Required"}},
		"modes":        {`{"spec":{"capacity":{"storage":"1"},"accessModes":["Sometimes"],"hostPath":{"path":"/x"}}}`, []string{"spec.accessModes NotSupported"}},
		"two sources":  {`{"spec":{"capacity":{"storage":"1"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"},"nfs":{"server":"a","path":"/"}}}`, []string{"spec.nfs Forbidden"}},
		"less than 0":  {`{"spec":{"capacity":{"storage":"-1"},"accessModes":["ReadWriteOnce"],"persistentVolumeReclaimPolicy":"Burn","hostPath":{"path":"../x"}}}`, []string{"spec.capacity[storage] Invalid", "spec.capacity[storage] Invalid", "spec.persistentVolumeReclaimPolicy NotSupported", "spec.hostPath.path Invalid"}},
		"local anyway": {`{"spec":{"capacity":{"storage":"1"},"accessModes":["ReadWriteOnce"],"local":{"path":"/x"}}}`, []string{"spec.nodeAffinity Required"}},
	}.run(t, "PersistentVolume")
	wrong{
		"nothing":      {`{"spec":{}}`, []string{"spec.accessModes Required", "spec.resources[storage] Required"}},
		"no storage":   {`{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"0"}}}}`, []string{"spec.resources[storage] Invalid"}},
		"modes, class": {`{"spec":{"accessModes":["ReadWriteOnce","ReadWriteOncePod"],"resources":{"requests":{"storage":"1"}},"storageClassName":"Bad Class"}}`, []string{"spec.accessModes Forbidden", "spec.storageClassName Invalid"}},
		"two sources":  {`{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1"}},"dataSource":{"kind":"PersistentVolumeClaim","name":"a"},"dataSourceRef":{"kind":"PersistentVolumeClaim","name":"b"}}}`, []string{"spec Invalid"}},
	}.run(t, "PersistentVolumeClaim")
}

func TestWrongLimitsAreRefused(t *testing.T) {
	wrong{
		"types":           {`{"spec":{"limits":[{"type":"Cat"},{"type":"Pod","default":{"cpu":"1"}},{"type":"Pod"},{"type":"PersistentVolumeClaim"}]}}`, []string{"spec.limits[0].type Invalid", "spec.limits[1].default Forbidden", "spec.limits[2].type Duplicate", "spec.limits[3].limits Required"}},
		"min above max":   {`{"spec":{"limits":[{"type":"Pod","min":{"cpu":"2"},"max":{"cpu":"1"}}]}}`, []string{"spec.limits[0].min[cpu] Invalid"}},
		"default too big": {`{"spec":{"limits":[{"type":"Container","max":{"cpu":"1"},"default":{"cpu":"2"}}]}}`, []string{"spec.limits[0].defaultRequest[cpu] Invalid", "spec.limits[0].default[cpu] Invalid"}},
		"ratios":          {`{"spec":{"limits":[{"type":"Pod","min":{"cpu":"1"},"max":{"cpu":"2"},"maxLimitRequestRatio":{"cpu":"3","memory":"500m"}}]}}`, []string{"spec.limits[0].maxLimitRequestRatio[cpu] Invalid", "spec.limits[0].maxLimitRequestRatio[memory] Invalid"}},
		"resources":       {`{"spec":{"limits":[{"type":"Container","max":{"luck":"1"}}]}}`, []string{"spec.limits[0].max[luck] Invalid", "spec.limits[0].max[luck] Invalid", "spec.limits[0].default[luck] Invalid", "spec.limits[0].default[luck] Invalid", "spec.limits[0].defaultRequest[luck] Invalid", "spec.limits[0].defaultRequest[luck] Invalid"}},
	}.run(t, "LimitRange")
	wrong{
		"negative":    {`{"spec":{"hard":{"pods":"-1"}}}`, []string{"spec.hard[pods] Invalid"}},
		"a half":      {`{"spec":{"hard":{"pods":"1500m"}}}`, []string{"spec.hard[pods] Invalid"}},
		"scopes":      {`{"spec":{"hard":{"pods":"1"},"scopes":["Whatever"]}}`, []string{"spec.scopes Invalid"}},
		"wrong scope": {`{"spec":{"hard":{"services":"1"},"scopes":["BestEffort"]}}`, []string{"spec.scopes Invalid"}},
		"both scopes": {`{"spec":{"hard":{"pods":"1"},"scopes":["BestEffort","NotBestEffort"]}}`, []string{"spec.scopes Invalid"}},
		"names":       {`{"spec":{"hard":{"Bad Name":"1"}}}`, []string{"spec.hard[Bad Name] Invalid", "spec.hard[Bad Name] Invalid"}},
		"selectors":   {`{"spec":{"hard":{"pods":"1"},"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass","operator":"In"},{"scopeName":"BestEffort","operator":"In","values":["x"]}]}}}`, []string{"spec.scopeSelector.matchExpressions.values Required", "spec.scopeSelector.matchExpressions.operator Invalid"}},
	}.run(t, "ResourceQuota")
}

func TestWrongEventsAndEndpointsAreRefused(t *testing.T) {
	wrong{
		"of another namespace": {`{"involvedObject":{"namespace":"elsewhere"}}`, []string{"involvedObject.namespace Invalid"}},
		"of the new form":      {`{"eventTime":"2020-01-01T00:00:00.000000Z"}`, []string{"reportingController Required", "reportingController Invalid", "reportingController Invalid", "reportingInstance Required", "action Required", "reason Required"}},
	}.run(t, "Event")
	wrong{
		"nothing":   {`{"subsets":[{}]}`, []string{"subsets[0] Required"}},
		"addresses": {`{"subsets":[{"addresses":[{"ip":"127.0.0.1","hostname":"A"}]}]}`, []string{"subsets[0].addresses[0].hostname Invalid", "subsets[0].addresses[0].ip Invalid"}},
		"ports":     {`{"subsets":[{"addresses":[{"ip":"192.0.2.1"}],"ports":[{"port":1},{"port":0,"name":"a","protocol":"X"}]}]}`, []string{"subsets[0].ports[0].name Required", "subsets[0].ports[1].port Invalid", "subsets[0].ports[1].protocol NotSupported"}},
	}.run(t, "Endpoints")
}
