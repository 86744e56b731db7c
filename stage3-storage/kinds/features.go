package kinds

import "example.com/kube-apiserver/stage3-storage/kinds/rules"

// This file has the fields of features that are off in 1.37 unless somebody
// turns them on. Nobody can here, so they are taken away as upstream does it:
// in silence, since clients send what is not theirs to newer and older servers.

// switchedOff are those of a pod's spec.
//
// Now: pkg/api/pod/util.go dropDisabledFields
var switchedOff = []string{
	"schedulingGroup",               // GenericWorkload
	"evictionResponders",            // EvictionRequestAPI
	"volumes[*].emptyDir.mode",      // EmptyDirVolumeMode
	"volumes[*].secret.defaultUser", // from here AtomicWriteVolumeUserFields
	"volumes[*].secret.items[*].user",
	"volumes[*].configMap.defaultUser",
	"volumes[*].configMap.items[*].user",
	"volumes[*].downwardAPI.defaultUser",
	"volumes[*].downwardAPI.items[*].user",
	"volumes[*].projected.defaultUser",
	"volumes[*].projected.sources[*].secret.items[*].user",
	"volumes[*].projected.sources[*].configMap.items[*].user",
	"volumes[*].projected.sources[*].downwardAPI.items[*].user",
	"volumes[*].projected.sources[*].serviceAccountToken.user",
	"volumes[*].projected.sources[*].clusterTrustBundle.user",
	"volumes[*].projected.sources[*].podCertificate.user",
}

// switchedOffOfContainers are those of every container.
var switchedOffOfContainers = []string{
	"volumeMounts[*].bindMountOptions", // VolumeBindMountOptions
	"livenessProbe.httpGet.protocol",   // from here H2CContainerProbe
	"readinessProbe.httpGet.protocol",
	"startupProbe.httpGet.protocol",
	"lifecycle.postStart.httpGet.protocol",
	"lifecycle.preStop.httpGet.protocol",
	"livenessProbe.grpc.mode", // from here GRPCContainerProbeTLS
	"readinessProbe.grpc.mode",
	"startupProbe.grpc.mode",
}

// switchedOffOfStatus are those of a pod's status.
var switchedOffOfStatus = []string{
	"volumeHealth",                         // CSIVolumeHealth
	"nodeAllocatableResourceClaimStatuses", // DRANodeAllocatableResources
}

func dropSwitchedOff(s tree) {
	rules.Drop(s, switchedOff...)
	for _, list := range containerLists {
		for _, c := range rules.Items(s, list) {
			rules.Drop(c, switchedOffOfContainers...)
		}
	}
}
