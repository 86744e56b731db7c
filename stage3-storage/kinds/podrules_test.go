package kinds_test

import (
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"github.com/google/go-cmp/cmp"
)

// volumes is a pod with these volumes, as JSON without the brackets.
func volumes(list string) string {
	return `{"spec":{"containers":[` + container + `],"volumes":[` + list + `]}}`
}

// at makes "path reason" of a common beginning and what follows it.
func at(begin string, more ...string) []string {
	list := []string{}
	for _, m := range more {
		list = append(list, begin+m)
	}
	return list
}

func TestEveryKindOfVolumeHasItsRules(t *testing.T) {
	const v = "spec.volumes[0]."
	wrong{
		"a git repository":    {volumes(`{"name":"v","gitRepo":{"directory":"/a"}}`), at(v+"gitRepo.", "repository Required", "directory Invalid")},
		"a disk of Google's":  {volumes(`{"name":"v","gcePersistentDisk":{"partition":256}}`), at(v+"persistentDisk.", "pdName Required", "partition Invalid")},
		"a disk of Amazon's":  {volumes(`{"name":"v","awsElasticBlockStore":{"partition":-1}}`), at(v+"awsElasticBlockStore.", "volumeID Required", "partition Invalid")},
		"NFS":                 {volumes(`{"name":"v","nfs":{"path":"a"}}`), at(v+"nfs.", "server Required", "path Invalid")},
		"an iSCSI target":     {volumes(`{"name":"v","iscsi":{"lun":256,"chapAuthSession":true,"initiatorName":"x"}}`), at(v+"iscsi.", "targetPortal Required", "iqn Required", "lun Invalid", "secretRef Required", "initiatorname Invalid")},
		"a wrong iSCSI name":  {volumes(`{"name":"v","iscsi":{"targetPortal":"a","iqn":"iqn.x"}}`), at(v+"iscsi.", "iqn Invalid")},
		"a long iSCSI name":   {volumes(`{"name":"v","iscsi":{"targetPortal":"` + strings.Repeat("a", 70) + `","iqn":"eui.0123456789abcdef","initiatorName":"eui.0123456789abcdef"}}`), at(v, "name Invalid")},
		"GlusterFS":           {volumes(`{"name":"v","glusterfs":{}}`), at(v+"glusterfs.", "endpoints Required", "path Required")},
		"Flocker":             {volumes(`{"name":"v","flocker":{"datasetName":"a/b","datasetUUID":"u"}}`), at(v+"flocker", " Invalid", ".datasetName Invalid")},
		"nothing of Flocker":  {volumes(`{"name":"v","flocker":{}}`), at(v, "flocker Required")},
		"RBD":                 {volumes(`{"name":"v","rbd":{}}`), at(v+"rbd.", "monitors Required", "image Required")},
		"Cinder":              {volumes(`{"name":"v","cinder":{"secretRef":{}}}`), at(v+"cinder.", "volumeID Required", "secretRef.name Required")},
		"CephFS":              {volumes(`{"name":"v","cephfs":{}}`), at(v+"cephfs.", "monitors Required")},
		"Quobyte":             {volumes(`{"name":"v","quobyte":{"registry":"a"}}`), at(v+"quobyte.", "registry Invalid", "volume Required")},
		"fibre channel":       {volumes(`{"name":"v","fc":{"targetWWNs":["a"],"wwids":["b"]}}`), at(v+"fc.", "targetWWNs Invalid", "lun Required")},
		"no fibre channel":    {volumes(`{"name":"v","fc":{}}`), at(v+"fc.", "targetWWNs Required")},
		"a flex volume":       {volumes(`{"name":"v","flexVolume":{"options":{"k8s.io/a":"b"}}}`), at(v+"flexVolume.", "driver Required", "options[k8s.io/a] Invalid")},
		"a file share":        {volumes(`{"name":"v","azureFile":{}}`), at(v+"azureFile.", "secretName Required", "shareName Required")},
		"a disk of Microsoft": {volumes(`{"name":"v","azureDisk":{"diskName":"a","diskURI":"x","kind":"Managed","cachingMode":"X"}}`), at(v+"azureDisk.", "cachingMode NotSupported", "diskURI NotSupported")},
		"vSphere":             {volumes(`{"name":"v","vsphereVolume":{}}`), at(v+"vsphereVolume.", "volumePath Required")},
		"Photon":              {volumes(`{"name":"v","photonPersistentDisk":{}}`), at(v+"photonPersistentDisk.", "pdID Required")},
		"Portworx":            {volumes(`{"name":"v","portworxVolume":{}}`), at(v+"portworxVolume.", "volumeID Required")},
		"ScaleIO":             {volumes(`{"name":"v","scaleIO":{}}`), at(v+"scaleIO.", "gateway Required", "system Required", "volumeName Required")},
		"StorageOS":           {volumes(`{"name":"v","storageos":{"volumeNamespace":"A"}}`), at(v+"storageos.", "volumeName Required", "volumeNamespace Invalid")},
		"CSI":                 {volumes(`{"name":"v","csi":{"driver":"a","nodePublishSecretRef":{}}}`), at(v+"csi.", "nodePublishSecretRef.name Required")},
		"no driver":           {volumes(`{"name":"v","csi":{}}`), at(v+"csi.", "driver Required", "driver Invalid")},
		"a claim of its own":  {volumes(`{"name":"v","ephemeral":{"volumeClaimTemplate":{"metadata":{"name":"n"},"spec":{}}}}`), at(v+"ephemeral.volumeClaimTemplate.", "metadata.name Forbidden", "spec.accessModes Required", "spec.resources[storage] Required")},
		"an image":            {volumes(`{"name":"v","image":{"pullPolicy":"Often"}}`), at(v+"image.", "reference Required", "pullPolicy NotSupported")},
		"a host's path":       {volumes(`{"name":"v","hostPath":{"path":"a/../b","type":"X"}}`), at(v+"hostPath.", "path Invalid", "type NotSupported")},
		"no host's path":      {volumes(`{"name":"v","hostPath":{"type":"X"}}`), at(v+"hostPath.", "path Required")},
	}.run(t, "Pod")
}

func TestFilesOfProjectedVolumesDoNotCollide(t *testing.T) {
	const v = "spec.volumes[0].projected"
	projected := func(sources string) string {
		return volumes(`{"name":"v","projected":{"sources":[` + sources + `]}}`)
	}
	wrong{
		"a file twice":           {projected(`{"secret":{"name":"s","items":[{"key":"a","path":"f"}]}},{"configMap":{"name":"m","items":[{"key":"a","path":"f"}]}}`), at(v, " Invalid")},
		"two kinds in one":       {projected(`{"secret":{"name":"s"},"configMap":{"name":"m"}}`), at(v, ".sources[0] Forbidden")},
		"no names":               {projected(`{"secret":{}},{"configMap":{}}`), at(v+".sources", "[0].secret.name Required", "[1].configMap.name Required")},
		"an account's token":     {projected(`{"serviceAccountToken":{"path":"t"}}`), at(v, ".sources[0].serviceAccountToken Forbidden")},
		"nobody's certificates":  {projected(`{"clusterTrustBundle":{"path":"b"}}`), at(v, ".sources[0].clusterTrustBundle Required")},
		"anybody's certificates": {projected(`{"clusterTrustBundle":{"path":"b","name":"a","signerName":"example.com/b"}}`), at(v, ".sources[0].clusterTrustBundle Invalid")},
		"a certificate":          {projected(`{"podCertificate":{"signerName":"x","keyType":"X","maxExpirationSeconds":1}}`), at(v+".sources[0].podCertificate", ".signerName Invalid", ".keyType NotSupported", ".maxExpirationSeconds Invalid", " Required")},
		"a right one":            {projected(`{"podCertificate":{"signerName":"example.com/s","keyType":"ED25519","keyPath":"k","certificateChainPath":"c"}}`), []string{}},
	}.run(t, "Pod")
}

func TestContainersOfEachListHaveTheirRules(t *testing.T) {
	ctr := func(c string) string { return `{"spec":{"containers":[{"name":"c","image":"a:1",` + c + `}]}}` }
	first := func(c string) string {
		return `{"spec":{"containers":[` + container + `],"initContainers":[{"name":"i","image":"a:1",` + c + `}]}}`
	}
	const c, i = "spec.containers[0].", "spec.initContainers[0]."
	wrong{
		"restarted, but how":        {ctr(`"restartPolicy":"Maybe"`), at(c, "restartPolicy NotSupported")},
		"rules alone":               {ctr(`"restartPolicyRules":[{"action":"Restart","exitCodes":{"operator":"In","values":[1]}}]`), at(c, "restartPolicy Required")},
		"wrong rules":               {ctr(`"restartPolicy":"Never","restartPolicyRules":[{"action":"X","exitCodes":{"operator":"X"}},{"action":"Restart"}]`), at(c+"restartPolicyRules", "[0].action NotSupported", "[0].exitCodes.operator NotSupported", "[1].exitCodes Required")},
		"a way to resize":           {ctr(`"resizePolicy":[{"resourceName":"cpu","restartPolicy":"X"},{"resourceName":"cpu","restartPolicy":"NotRequired"},{"resourceName":"gpu","restartPolicy":"NotRequired"}]`), at(c, "resizePolicy NotSupported", "resizePolicy[1] Duplicate", "resizePolicy NotSupported")},
		"a signal of no system":     {ctr(`"lifecycle":{"stopSignal":"SIGTERM"}`), at(c, "lifecycle.stopSignal Forbidden")},
		"a claim of nobody's":       {ctr(`"resources":{"claims":[{"name":"x"},{"name":""}]}`), at(c+"resources.claims", "[0] NotFound", "[1] Required")},
		"first, and well":           {first(`"livenessProbe":{"exec":{"command":["a"]}}`), at(i, "livenessProbe Forbidden")},
		"first, and for ever":       {first(`"restartPolicy":"Always","livenessProbe":{"exec":{"command":["a"]}}`), []string{}},
		"first, and resized":        {first(`"resizePolicy":[{"resourceName":"cpu","restartPolicy":"RestartContainer"}]`), at(i, "resizePolicy[0].restartPolicy Invalid")},
		"first, on a port twice":    {first(`"ports":[{"containerPort":1,"hostPort":2},{"containerPort":3,"hostPort":2}]`), at(i, "ports[1].hostPort Duplicate")},
		"a file's variable":         {ctr(`"env":[{"name":"A","valueFrom":{"fileKeyRef":{"volumeName":"v","path":"f","key":"A"}}}]`), at(c, "env[0].valueFrom.fileKeyRef.volumeName NotFound")},
		"a key of a nameless map":   {ctr(`"env":[{"name":"A","valueFrom":{"configMapKeyRef":{"key":"a"}}}]`), at(c, "env[0].valueFrom.configMapKeyRef.name Invalid")},
		"a field of another time":   {ctr(`"env":[{"name":"A","valueFrom":{"fieldRef":{"apiVersion":"v2","fieldPath":"metadata.name"}}}]`), at(c, "env[0].valueFrom.fieldRef.fieldPath Invalid")},
		"privileged, but not quite": {ctr(`"securityContext":{"privileged":true,"allowPrivilegeEscalation":false}`), at(c, "securityContext.privileged Forbidden", "securityContext Invalid")},
	}.run(t, "Pod")
}

func TestPodsAsAWholeHaveTheirRules(t *testing.T) {
	pod := func(more string) string { return `{"spec":{"containers":[` + container + `],` + more + `}}` }
	wrong{
		"less than its containers":  {`{"spec":{"resources":{"requests":{"cpu":"1"}},"containers":[{"name":"a","image":"a","resources":{"requests":{"cpu":"800m"}}},{"name":"b","image":"b","resources":{"requests":{"cpu":"800m"}}}]}}`, []string{"spec.resources.requests[cpu] Invalid"}},
		"less than one of them":     {`{"spec":{"resources":{"limits":{"cpu":"1"}},"containers":[{"name":"a","image":"a","resources":{"requests":{"cpu":"1"},"limits":{"cpu":"2"}}}]}}`, []string{"spec.resources.containers[0][cpu].limits Invalid"}},
		"devices":                   {pod(`"resources":{"requests":{"example.com/gpu":"1"},"limits":{"example.com/gpu":"1"}}`), []string{"spec.resources.limits[example.com/gpu] NotSupported", "spec.resources.requests[example.com/gpu] NotSupported"}},
		"a claim of two":            {pod(`"resourceClaims":[{"name":"a","resourceClaimName":"x","resourceClaimTemplateName":"y"},{"name":"a"}]`), []string{"spec.resourceClaims[0] Invalid", "spec.resourceClaims[1].name Duplicate", "spec.resourceClaims[1] Invalid"}},
		"another system":            {pod(`"os":{"name":"plan9"}`), []string{"spec.os NotSupported"}},
		"no system":                 {pod(`"os":{"name":""}`), []string{"spec.os.name Required"}},
		"Linux, with the other's":   {pod(`"os":{"name":"linux"},"securityContext":{"windowsOptions":{"runAsUserName":"a"}}`), []string{"spec.securityContext.windowsOptions Forbidden"}},
		"Windows, with the other's": {pod(`"os":{"name":"windows"},"hostPID":true,"securityContext":{"runAsUser":1}`), []string{"spec.hostPID Forbidden", "spec.securityContext.runAsUser Forbidden"}},
		"a user of Windows":         {pod(`"securityContext":{"windowsOptions":{"runAsUserName":"a\\b\\c"}}`), []string{"spec.securityContext.windowsOptions.runAsUserName Invalid"}},
		"a process of the host":     {pod(`"securityContext":{"windowsOptions":{"hostProcess":true}}`), []string{"spec.hostNetwork Invalid", "spec Forbidden"}},
		"the host's kernel":         {pod(`"hostNetwork":true,"securityContext":{"sysctls":[{"name":"net.core.somaxconn","value":"1"}]}`), []string{"spec.securityContext.sysctls[0].name Invalid"}},
		"users of its own":          {pod(`"hostUsers":false,"hostNetwork":true,"hostIPC":true`), []string{"spec.hostNetwork Forbidden", "spec.HostIPC Forbidden"}},
		"two names":                 {pod(`"setHostnameAsFQDN":true,"hostnameOverride":"A"`), []string{"spec.hostnameOverride Forbidden", "spec.hostnameOverride Invalid"}},
		"no class of runtime":       {pod(`"runtimeClassName":""`), []string{"spec.runtimeClassName Invalid"}},
		"no policy of preemption":   {pod(`"preemptionPolicy":""`), []string{"spec.preemptionPolicy Required"}},
		"more than a taint":         {pod(`"tolerations":[{"key":"a","operator":"Gt","value":"07"}]`), []string{"spec.tolerations[0].operator NotSupported"}},
		"spread twice":              {pod(`"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"a","whenUnsatisfiable":"DoNotSchedule"},{"maxSkew":1,"topologyKey":"a","whenUnsatisfiable":"DoNotSchedule","matchLabelKeys":["b"]}]`), []string{"spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable} Duplicate", "spec.topologySpreadConstraints[1].matchLabelKeys Forbidden"}},
		"near whom":                 {pod(`"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"a","labelSelector":{},"matchLabelKeys":["x"],"mismatchLabelKeys":["x"]}]}}`), []string{"spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0] Invalid"}},
	}.run(t, "Pod")
}

func TestAnnotationsThatMeanSomethingAreChecked(t *testing.T) {
	pod := func(annotation, value, more string) string {
		return `{"metadata":{"name":"p","annotations":{"` + annotation + `":"` + value + `"}},"spec":{"containers":[{"name":"c","image":"a:1"` + more + `}]}}`
	}
	const a = "metadata.annotations"
	wrong{
		"a mirror of no node":    {pod("kubernetes.io/config.mirror", "x", ""), at(a, "[kubernetes.io/config.mirror] Invalid")},
		"tolerations":            {pod("scheduler.alpha.kubernetes.io/tolerations", `[{\"operator\":\"Is\"}]`, ""), at(a+".scheduler.alpha.kubernetes.io/tolerations[0].", "operator Invalid", "operator NotSupported")},
		"a price":                {pod("controller.kubernetes.io/pod-deletion-cost", "+1", ""), at(a, "[controller.kubernetes.io/pod-deletion-cost] Invalid")},
		"system calls":           {pod("seccomp.security.alpha.kubernetes.io/pod", "x", ""), at(a, ".seccomp.security.alpha.kubernetes.io/pod Invalid")},
		"a container of nobody":  {pod("container.apparmor.security.beta.kubernetes.io/d", "x", ""), at(a+"[container.apparmor.security.beta.kubernetes.io/d]", " Invalid", " Invalid")},
		"against the field":      {pod("container.apparmor.security.beta.kubernetes.io/c", "unconfined", `,"securityContext":{"appArmorProfile":{"type":"RuntimeDefault"}}`), []string{"spec.containers[0].securityContext.appArmorProfile.type Forbidden"}},
		"another file":           {pod("container.seccomp.security.alpha.kubernetes.io/c", "localhost/a", `,"securityContext":{"seccompProfile":{"type":"Localhost","localhostProfile":"b"}}`), []string{"spec.containers[0].securityContext.seccompProfile.localhostProfile Forbidden"}},
		"the same as the fields": {pod("container.seccomp.security.alpha.kubernetes.io/c", "localhost/a", `,"securityContext":{"seccompProfile":{"type":"Localhost","localhostProfile":"a"}}`), []string{}},
	}.run(t, "Pod")
}

func TestPodsGetWhatTheirContainersNeed(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Pod")
	o, err := create(t, k, `{"spec":{"resources":{"limits":{"cpu":"2","memory":"1Gi"}},
		"initContainers":[{"name":"i","image":"a","resources":{"requests":{"cpu":"900m"}}}],
		"containers":[{"name":"a","image":"a","resources":{"requests":{"cpu":"0.25"}}},{"name":"b","image":"b","resources":{"requests":{"cpu":"0.0001"}}}]}}`)
	if err != nil {
		t.Fatal(err)
	}
	spec := fields(o)["spec"].(map[string]any)
	if diff := cmp.Diff(tree(t, `{"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"900m","memory":"1Gi"}}`), spec["resources"]); diff != "" {
		t.Errorf("the pod asks for the container that needs most, and for memory up to its limit (-want +got):\n%s", diff)
	}
	second := spec["containers"].([]any)[1].(map[string]any)
	if diff := cmp.Diff(tree(t, `{"requests":{"cpu":"1m"}}`), second["resources"]); diff != "" {
		t.Errorf("what is finer than a thousandth is rounded up (-want +got):\n%s", diff)
	}
}
