package kinds

import (
	"cmp"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
)

// podSpecDefaults are of the specs of pods and of all templates of pods.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_PodSpec
var podSpecDefaults = rules.Defaults{
	{Path: "restartPolicy", Value: "Always"},
	{Path: "terminationGracePeriodSeconds", Value: rules.Number(30)},
	{Path: "dnsPolicy", Value: "ClusterFirst"},
	{Path: "securityContext", Value: tree{}},
	{Path: "schedulerName", Value: "default-scheduler"},

	{Path: "volumes[*].secret.defaultMode", Value: fileMode},
	{Path: "volumes[*].configMap.defaultMode", Value: fileMode},
	{Path: "volumes[*].downwardAPI.defaultMode", Value: fileMode},
	{Path: "volumes[*].projected.defaultMode", Value: fileMode},
	{Path: "volumes[*].projected.sources[*].serviceAccountToken.expirationSeconds", Value: rules.Number(3600)},
	{Path: "volumes[*].projected.sources[*].downwardAPI.items[*].fieldRef.apiVersion", Value: "v1"},
	{Path: "volumes[*].downwardAPI.items[*].fieldRef.apiVersion", Value: "v1"},
	{Path: "volumes[*].hostPath.type", Value: ""},
	{Path: "volumes[*].iscsi.iscsiInterface", Value: "default"},
	{Path: "volumes[*].rbd.pool", Value: "rbd"},
	{Path: "volumes[*].rbd.user", Value: "admin"},
	{Path: "volumes[*].rbd.keyring", Value: "/etc/ceph/keyring"},
	{Path: "volumes[*].azureDisk.cachingMode", Value: "ReadWrite"},
	{Path: "volumes[*].azureDisk.fsType", Value: "ext4"},
	{Path: "volumes[*].azureDisk.kind", Value: "Shared"},
	{Path: "volumes[*].azureDisk.readOnly", Value: false},
	{Path: "volumes[*].scaleIO.storageMode", Value: "ThinProvisioned"},
	{Path: "volumes[*].scaleIO.fsType", Value: "xfs"},
	{Path: "volumes[*].ephemeral.volumeClaimTemplate.spec.volumeMode", Value: "Filesystem"},
}

// fileMode is 0644.
var fileMode = rules.Number(0o644)

// containerDefaults are of containers of all sorts.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_Container
var containerDefaults = rules.Defaults{
	{Path: "resources", Value: tree{}},
	{Path: "terminationMessagePath", Value: "/dev/termination-log"},
	{Path: "terminationMessagePolicy", Value: "File"},
	{Path: "ports[*].protocol", Value: "TCP"},
	{Path: "env[*].valueFrom.fieldRef.apiVersion", Value: "v1"},
	{Path: "env[*].valueFrom.fileKeyRef.optional", Value: false},
	{Path: "lifecycle.postStart.httpGet.path", Value: "/"},
	{Path: "lifecycle.postStart.httpGet.scheme", Value: "HTTP"},
	{Path: "lifecycle.preStop.httpGet.path", Value: "/"},
	{Path: "lifecycle.preStop.httpGet.scheme", Value: "HTTP"},
}

// probeDefaults are of the three probes of a container.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_Probe
var probeDefaults = rules.Defaults{
	{Path: "timeoutSeconds", Value: rules.Number(1)},
	{Path: "periodSeconds", Value: rules.Number(10)},
	{Path: "successThreshold", Value: rules.Number(1)},
	{Path: "failureThreshold", Value: rules.Number(3)},
	{Path: "httpGet.path", Value: "/"},
	{Path: "httpGet.scheme", Value: "HTTP"},
	{Path: "grpc.service", Value: ""},
}

var (
	probes         = []string{"livenessProbe", "readinessProbe", "startupProbe"}
	containerLists = []string{"initContainers", "containers", "ephemeralContainers"}
)

// DefaultPodSpec fills in what the author of a pod or of a template left out.
func DefaultPodSpec(s map[string]any) {
	if s == nil {
		return
	}
	dropSwitchedOff(s)
	podSpecDefaults.Apply(s)
	account := cmp.Or(rules.Text(s, "serviceAccountName"), rules.Text(s, "serviceAccount"))
	if account != "" { // the old name of the field is kept in step
		s["serviceAccountName"], s["serviceAccount"] = account, account
	}
	roundUp(rules.Map(s, "overhead"), rules.Map(s, "resources", "limits"), rules.Map(s, "resources", "requests"))
	for _, v := range rules.Items(s, "volumes") {
		defaultVolume(v)
	}
	for _, list := range containerLists {
		for _, c := range rules.Items(s, list) {
			containerDefaults.Apply(c)
			roundUp(rules.Map(c, "resources", "limits"), rules.Map(c, "resources", "requests"))
			if rules.Text(c, "imagePullPolicy") == "" {
				rules.Fill(c, "imagePullPolicy", pullPolicy(rules.Text(c, "image")))
			}
			for _, p := range probes {
				if probe := rules.Map(c, p); probe != nil {
					probeDefaults.Apply(probe)
				}
			}
		}
	}
}

// defaultVolume: a volume of which nothing is said is an empty directory.
func defaultVolume(v tree) {
	claim := rules.Map(v, "ephemeral", "volumeClaimTemplate", "spec", "resources")
	roundUp(rules.Map(claim, "limits"), rules.Map(claim, "requests"))
	if image := rules.Map(v, "image"); image != nil {
		rules.Fill(image, "pullPolicy", pullPolicy(rules.Text(image, "reference")))
	}
	for name := range v {
		if name != "name" {
			return
		}
	}
	v["emptyDir"] = tree{}
}

// defaultPod is for pods themselves, and says more than DefaultPodSpec: what
// was added later must not change templates that are stored already.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_Pod
func defaultPod(o *object.Object) {
	s := rules.Make(o.Fields, "spec")
	DefaultPodSpec(s)
	rules.Fill(s, "enableServiceLinks", true)
	if rules.Int(s, "terminationGracePeriodSeconds") < 0 {
		s["terminationGracePeriodSeconds"] = rules.Number(1)
	}
	for _, list := range containerLists[:2] {
		for _, c := range rules.Items(s, list) {
			requestLimits(c)
			for _, p := range rules.Items(c, "ports") {
				if rules.Bool(s, "hostNetwork") && rules.Int(p, "hostPort") == 0 && rules.Int(p, "containerPort") != 0 {
					p["hostPort"] = p["containerPort"]
				}
			}
		}
	}
	defaultPodResources(s)
	defaultPodStatus(o)
}

// requestLimits: who says how much he uses at most, and not how much he needs,
// needs as much.
func requestLimits(container tree) {
	limits := rules.Map(container, "resources", "limits")
	for _, k := range rules.Keys(limits) {
		requests := rules.Make(container, "resources", "requests")
		if _, asked := requests[k]; !asked {
			requests[k] = limits[k]
		}
	}
}

// defaultPodStatus keeps the two forms of the pod's address in step.
func defaultPodStatus(o *object.Object) {
	s := status(o)
	rules.Drop(s, switchedOffOfStatus...)
	one, first := rules.Text(s, "podIP"), podIP(o)
	switch {
	case one != "" && one != first:
		s["podIPs"] = []any{tree{"ip": one}}
	case one == "" && first != "":
		s["podIP"] = first
	}
}
